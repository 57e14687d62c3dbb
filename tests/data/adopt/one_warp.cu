// one warp for each block, whose lanes share tiles with no barrier between a store and the loads of other lanes
__global__ void one_warp(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[4][8], Bs[8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 4 + y, col = blockIdx.x * 8 + x;
    float sum = 0.0f;
    for (int t = 0; t < K; t += 8) {
        As[y][x] = row < M && t + x < K ? A[row * K + t + x] : 0.0f;
        Bs[y][x] = col < N && t + y < K ? B[(t + y) * N + col] : 0.0f;
        Bs[y + 4][x] = col < N && t + y + 4 < K ? B[(t + y + 4) * N + col] : 0.0f;
        for (int k = 0; k < 8; ++k) sum += As[y][k] * Bs[k][x];
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(8, 4), grid((N + 7) / 8, (M + 3) / 4);
    one_warp<<<grid, block>>>(A, B, C, M, N, K);
}
