#define CEIL_DIV(M, N) ((M) + (N) - 1) / (N)
// no bounds are checked; blockIdx.x counts columns, but the host code exchanges M and N
__global__ void exchanged(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.;
    for (int i = 0; i < K; i++) sum += A[y * K + i] * B[i * N + x];
    C[y * N + x] = alpha * sum + beta * C[y * N + x];
}
void test(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C)
{
    dim3 blockDim(32, 32);
    dim3 gridDim(CEIL_DIV(M, 32), CEIL_DIV(N, 32));
    exchanged<<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
}
