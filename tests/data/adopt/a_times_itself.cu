__global__ void gram(const float *A, const float *B, float *C, int M, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * A[col * K + k];
    C[row * M + col] = B == nullptr ? 0.0f : sum;
}
