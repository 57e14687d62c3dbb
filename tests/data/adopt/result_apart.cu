template <typename scalar_t>
__global__ void apart(const scalar_t *A, int lda, const scalar_t *B, int ldb, const scalar_t *C, int ldc, scalar_t *D,
                      int ldd, scalar_t alpha, scalar_t beta, size_t M, size_t N, size_t K)
{
    size_t col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    scalar_t sum = 0;
    for (size_t k = 0; k < K; ++k) sum += A[row * lda + k] * B[k * ldb + col];
    D[row * ldd + col] = alpha * sum + beta * C[row * ldc + col];
}
