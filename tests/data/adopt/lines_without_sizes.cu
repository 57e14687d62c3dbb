/* Takes how far lines are apart and K alone: M and N are the blocks', and no number says that they are K. */
__global__ void lines_without_sizes(const float *A, int lda, const float *B, int ldb, float *C, int ldc, int k)
{
    int row = blockIdx.x * 16 + threadIdx.x, column = blockIdx.y * 16 + threadIdx.y;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
        sum += A[row + i * lda] * B[column + i * ldb];
    C[row + column * ldc] = sum;
}
