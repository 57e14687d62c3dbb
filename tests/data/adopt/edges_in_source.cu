__global__ void edges(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int col = blockIdx.x * 16 + threadIdx.x, row = 4 * blockIdx.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
