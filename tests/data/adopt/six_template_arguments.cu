#include <stdlib.h>
#include <cuda_runtime.h>
#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FETCH_FLOAT4(pointer) (reinterpret_cast<float4 *>(&(pointer))[0])

template <const int BLOCK_SIZE_M, const int BLOCK_SIZE_K, const int BLOCK_SIZE_N, const int THREAD_SIZE_Y,
          const int THREAD_SIZE_X, const bool ENABLE_DOUBLE_BUFFER>
__global__ void MatMul(float *__restrict__ A, float *__restrict__ B, float *__restrict__ C, const int M, const int K,
                       const int N)
{
    const int across = BLOCK_SIZE_N / THREAD_SIZE_X;
    const int threads = across * (BLOCK_SIZE_M / THREAD_SIZE_Y);
    const int tid = threadIdx.y * across + threadIdx.x;
    __shared__ float As[BLOCK_SIZE_M][BLOCK_SIZE_K];
    __shared__ float Bs[BLOCK_SIZE_K][BLOCK_SIZE_N];
    float accum[THREAD_SIZE_Y][THREAD_SIZE_X] = {0};
    for (int step = 0; step < K; step += BLOCK_SIZE_K) {
        for (int i = 4 * tid; i < BLOCK_SIZE_M * BLOCK_SIZE_K; i += 4 * threads) {
            const int row = i / BLOCK_SIZE_K, col = i % BLOCK_SIZE_K;
            FETCH_FLOAT4(As[row][col]) = FETCH_FLOAT4(A[OFFSET(BLOCK_SIZE_M * blockIdx.y + row, step + col, K)]);
        }
        for (int i = 4 * tid; i < BLOCK_SIZE_K * BLOCK_SIZE_N; i += 4 * threads) {
            const int row = i / BLOCK_SIZE_N, col = i % BLOCK_SIZE_N;
            FETCH_FLOAT4(Bs[row][col]) = FETCH_FLOAT4(B[OFFSET(step + row, BLOCK_SIZE_N * blockIdx.x + col, N)]);
        }
        __syncthreads();
        for (int k = 0; k < BLOCK_SIZE_K; ++k)
            for (int y = 0; y < THREAD_SIZE_Y; ++y)
                for (int x = 0; x < THREAD_SIZE_X; ++x)
                    accum[y][x] += As[threadIdx.y * THREAD_SIZE_Y + y][k] * Bs[k][threadIdx.x * THREAD_SIZE_X + x];
        __syncthreads();
    }
    for (int y = 0; y < THREAD_SIZE_Y; ++y)
        for (int x = 0; x < THREAD_SIZE_X; ++x)
            C[OFFSET(BLOCK_SIZE_M * blockIdx.y + threadIdx.y * THREAD_SIZE_Y + y,
                     BLOCK_SIZE_N * blockIdx.x + threadIdx.x * THREAD_SIZE_X + x, N)] = accum[y][x];
}

int main(int argc, char **argv)
{
    size_t M = atoi(argv[1]), K = atoi(argv[2]), N = atoi(argv[3]);
    float *d_A, *d_B, *d_C;
    cudaMalloc(&d_A, M * K * 4); cudaMalloc(&d_B, K * N * 4); cudaMalloc(&d_C, M * N * 4);
    const int BLOCK_SIZE_M = 64, BLOCK_SIZE_K = 8, BLOCK_SIZE_N = 32;
    const int THREAD_SIZE_X = 4;
    const int THREAD_SIZE_Y = 4;
    const bool ENABLE_DOUBLE_BUFFER = false;
    dim3 dimBlock(BLOCK_SIZE_N / THREAD_SIZE_X, BLOCK_SIZE_M / THREAD_SIZE_Y);
    dim3 dimGrid(N / BLOCK_SIZE_N, M / BLOCK_SIZE_M);
    for (int run = 0; run < 3; run++)
        MatMul<BLOCK_SIZE_M, BLOCK_SIZE_K, BLOCK_SIZE_N, THREAD_SIZE_Y, THREAD_SIZE_X, ENABLE_DOUBLE_BUFFER>
            <<<dimGrid, dimBlock>>>(d_A, d_B, d_C, M, K, N);
}
