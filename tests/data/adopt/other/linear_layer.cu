__global__ void linear(const float *x, const float *w, const float *bias, float *y, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    float sum = bias[col];
    for (int k = 0; k < K; ++k) sum += x[row * K + k] * w[col * K + k];
    y[row * N + col] = sum > 0.0f ? sum : 0.0f;
}
void run(const float *x, const float *w, const float *b, float *y, int M, int N, int K)
{
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
    linear<<<grid, block>>>(x, w, b, y, M, N, K);
}
