__global__ void layouts_apart(int M, int N, int K, float alpha, const float *A, int lda, const float *B, int ldb, float beta,
                              const float *C, int ldc, float *D, int ldd)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * lda + k] * B[k * ldb + col];
    D[col * ldd + row] = alpha * sum + beta * C[row * ldc + col];
}
