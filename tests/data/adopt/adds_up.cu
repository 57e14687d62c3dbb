__global__ void adds(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    for (int k = 0; k < K; ++k) C[row * N + col] += A[row * K + k] * B[k * N + col];
}
