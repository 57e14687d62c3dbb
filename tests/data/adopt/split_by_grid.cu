__global__ void split(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = blockIdx.z; k < K; k += gridDim.z) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}
void run(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16, 4);
    split<<<grid, block>>>(A, B, C, M, N, K);
}
