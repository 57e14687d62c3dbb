#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

// C = alpha * A * B + beta * C, a tile of BM x BN per block, TM x TN elements per thread
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm_blocktile(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];
    const uint threads = (BM * BN) / (TM * TN);
    const uint first_row = (threadIdx.x / (BN / TN)) * TM;
    const uint first_col = (threadIdx.x % (BN / TN)) * TN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[TM][TN] = {};
    for (int step = 0; step < K; step += BK) {
        for (uint i = threadIdx.x; i < BM * BK; i += threads)
            As[i / BK][i % BK] = A[(i / BK) * K + step + i % BK];
        for (uint i = threadIdx.x; i < BK * BN; i += threads)
            Bs[i / BN][i % BN] = B[(step + i / BN) * N + i % BN];
        __syncthreads();
        for (int k = 0; k < BK; ++k)
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    sums[i][j] += As[first_row + i][k] * Bs[k][first_col + j];
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) {
            float *c = &C[(first_row + i) * N + first_col + j];
            *c = alpha * sums[i][j] + beta * *c;
        }
}

void run_blocktile(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C)
{
    const uint BK = 8;
    const uint TM = 4;
    const uint TN = 4;
    if (M >= 64 and N >= 32) {
        const uint BM = 64;
        const uint BN = 32;
        dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
        dim3 blockDim((BM * BN) / (TM * TN));
        sgemm_blocktile<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
    }
}
