__global__ void turned(const float *A, const float *B, float *C, int M, int N, int K, bool turn)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * (turn ? B[col * K + k] : B[k * N + col]);
    C[row * N + col] = sum;
}

void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
    turned<<<grid, block>>>(A, B, C, M, N, K, true);
}
