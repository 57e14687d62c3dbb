__global__ void halved_c(const double *A, const double *B, double *C, int M, int N, int K)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    double sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = 2 * sum + 0.5 * C[row * N + col];
}
