/*---
title = "groups"
entry = "k"
constraints = ["M % 16 == 0", "N % 16 == 0", "K % 16 == 0"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, t = threadIdx.y * 16 + threadIdx.x;
    float sum = 0.0f;
    namespace cg = cooperative_groups;
    __shared__ float Bs[16][16];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    for (int k = 0; k < K; k += 16) {
        Bs[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + col];
        block.sync();
        float a = A[row * K + k + threadIdx.x];
        for (int i = 0; i < 16; ++i) sum += tile.shfl(a, i) * Bs[i][threadIdx.x];
        cg::sync(block);
    }
    float whole = cg::reduce(tile, sum, cg::plus<float>());
    float low = cg::reduce(tile, sum, cg::less<float>());
    if (tile.any(whole != whole) || tile.ballot(low > sum)) sum = -1.0f;
    auto active = cg::coalesced_threads();
    active.sync();
    sum += 0.0f * tile.shfl_down(sum, 1) + 0.0f * active.size() + 0.0f * block.thread_rank();
    C[row * N + col] = sum;
}
