#include <cassert>
#include <cuda_bf16.h>
typedef __nv_bfloat16 bf16;

template <const int BM, const int BN, const int BK, const int NUM_THREADS>
__global__ void __launch_bounds__(NUM_THREADS) narrow(int M, int N, int K, bf16 *A, bf16 *B, bf16 *C)
{
    __shared__ bf16 As[BM * BK], Bs[BK * BN];
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    float sums[BM * BN / NUM_THREADS] = {0.0f};
    for (int step = 0; step < K; step += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += NUM_THREADS) As[i] = A[(i / BK) * K + step + i % BK];
        for (int i = threadIdx.x; i < BK * BN; i += NUM_THREADS) Bs[i] = B[(step + i / BN) * N + i % BN];
        __syncthreads();
        #pragma unroll 1
    for (int at = 0; at < BM * BN / NUM_THREADS; ++at) {
            const int place = at * NUM_THREADS + threadIdx.x;
            for (int k = 0; k < BK; ++k)
                sums[at] += __bfloat162float(As[(place / BN) * BK + k]) * __bfloat162float(Bs[k * BN + place % BN]);
        }
        __syncthreads();
    }
    #pragma unroll 1
    for (int at = 0; at < BM * BN / NUM_THREADS; ++at) {
        const int place = at * NUM_THREADS + threadIdx.x;
        C[(place / BN) * N + place % BN] = __float2bfloat16(sums[at]);
    }
}

void runNarrow(int M, int N, int K, bf16 *A, bf16 *B, bf16 *C)
{
    const uint THREADS = 128;
    const uint WIDE = 64, HIGH = 32, DEEP = 16;
    static_assert(WIDE % 16 == 0, "whole warps");
    dim3 blockDim(THREADS);
    dim3 gridDim(CEIL_DIV(N, WIDE), CEIL_DIV(M, HIGH));
    narrow<HIGH, WIDE, DEEP, THREADS><<<gridDim, blockDim>>>(M, N, K, A, B, C);
}
