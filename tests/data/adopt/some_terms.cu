__global__ void some_terms(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 1 + (k + row) % 3) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
