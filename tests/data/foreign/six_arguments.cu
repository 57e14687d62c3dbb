// M, K, N in this order; six arguments of a template, the last a switch.
template <int BLOCK_M, int BLOCK_K, int BLOCK_N, int THREAD_M, int THREAD_N, bool PADDED>
__global__ void six(float *__restrict__ A, float *__restrict__ B, float *__restrict__ C, const int M, const int K,
                    const int N) {
  constexpr int ACROSS = BLOCK_N / THREAD_N;
  __shared__ float As[BLOCK_K][BLOCK_M + (PADDED ? 1 : 0)];
  __shared__ float Bs[BLOCK_K][BLOCK_N];
  const int threads = blockDim.x * blockDim.y, id = threadIdx.y * blockDim.x + threadIdx.x;
  float sums[THREAD_M][THREAD_N] = {};
  for (int first = 0; first < K; first += BLOCK_K) {
    for (int i = id; i < BLOCK_M * BLOCK_K; i += threads) {
      const int row = blockIdx.y * BLOCK_M + i / BLOCK_K, k = first + i % BLOCK_K;
      As[i % BLOCK_K][i / BLOCK_K] = row < M && k < K ? A[row * K + k] : 0.0f;
    }
    for (int i = id; i < BLOCK_K * BLOCK_N; i += threads) {
      const int k = first + i / BLOCK_N, col = blockIdx.x * BLOCK_N + i % BLOCK_N;
      Bs[i / BLOCK_N][i % BLOCK_N] = k < K && col < N ? B[k * N + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < BLOCK_K; ++k)
      for (int m = 0; m < THREAD_M; ++m)
        for (int n = 0; n < THREAD_N; ++n)
          sums[m][n] += As[k][threadIdx.y * THREAD_M + m] * Bs[k][threadIdx.x + n * ACROSS];
    __syncthreads();
  }
  for (int m = 0; m < THREAD_M; ++m)
    for (int n = 0; n < THREAD_N; ++n) {
      const int row = blockIdx.y * BLOCK_M + threadIdx.y * THREAD_M + m;
      const int col = blockIdx.x * BLOCK_N + threadIdx.x + n * ACROSS;
      if (row < M && col < N) C[row * N + col] = sums[m][n];
    }
}
