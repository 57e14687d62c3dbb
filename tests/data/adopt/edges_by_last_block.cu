// Only the last row and column of blocks look at the edges. One block has as many rows as the smallest result that is tried.
template <int ROWS, int COLUMNS, int DEPTH>
__global__ void last_guards(const float *A, const float *B, float *C, int M, int K, int N) {
    __shared__ float left[ROWS][DEPTH];
    __shared__ float right[DEPTH][COLUMNS];
    const int top = blockIdx.y * ROWS, first = blockIdx.x * COLUMNS;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const bool is_last = blockIdx.x == gridDim.x - 1 || blockIdx.y == gridDim.y - 1;
    float sums[ROWS / 16][COLUMNS / 16] = {};
    for (int k = 0; k < K; k += DEPTH) {
        for (int i = thread; i < ROWS * DEPTH; i += threads) {
            const int row = top + i / DEPTH, column = k + i % DEPTH;
            left[i / DEPTH][i % DEPTH] = !is_last || (row < M && column < K) ? A[row * K + column] : 0.0f;
        }
        for (int i = thread; i < DEPTH * COLUMNS; i += threads) {
            const int row = k + i / COLUMNS, column = first + i % COLUMNS;
            right[i / COLUMNS][i % COLUMNS] = !is_last || (row < K && column < N) ? B[row * N + column] : 0.0f;
        }
        __syncthreads();
        for (int j = 0; j < DEPTH; ++j)
            for (int y = 0; y < ROWS / 16; ++y)
                for (int x = 0; x < COLUMNS / 16; ++x)
                    sums[y][x] += left[y * 16 + threadIdx.y][j] * right[j][x * 16 + threadIdx.x];
        __syncthreads();
    }
    for (int y = 0; y < ROWS / 16; ++y)
        for (int x = 0; x < COLUMNS / 16; ++x) {
            const int row = top + y * 16 + threadIdx.y, column = first + x * 16 + threadIdx.x;
            if (!is_last || (row < M && column < N)) C[row * N + column] = sums[y][x];
        }
}

void launch(const float *A, const float *B, float *C, int M, int K, int N) {
    dim3 block(16, 16);
    last_guards<128, 64, 16><<<dim3((N + 63) / 64, (M + 127) / 128), block>>>(A, B, C, M, K, N);
}
