__global__ void without_last(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K - 1; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
