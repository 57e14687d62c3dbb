__global__ void evenly(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    const int part = K / gridDim.z, first = blockIdx.z * part;
    float sum = 0.0f;
    for (int k = first; k < first + part; ++k) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}
void run(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16, 4);
    evenly<<<grid, block>>>(A, B, C, M, N, K);
}
