/*---
title   = "Dot product: tree reduction"
order   = 200
entry   = "sdot_tree"
teaches = "A tree adds THREADS partial sums in log2(THREADS) rounds. In each round, half as many threads work as in the round before."
origin  = "tutorial 002, dot product"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "M == 1", because = "a dot product is a matrix product with one row in A"},
    {rule = "N == 1", because = "a dot product is a matrix product with one column in B"},
    {rule = "is_power_of_two(THREADS)", because = "the tree halves the number of partial sums until one is left"},
]
[params.THREADS]
label   = "Threads per block"
choices = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
default = 512
[launch]
block = ["THREADS"]
grid  = ["min(32, ceil_div(K, THREADS))"]
shared_bytes = "0"
static_shared_bytes = "4 * THREADS"
partial_sums = "min(32, ceil_div(K, THREADS))"
---*/

extern "C" __global__ void sdot_tree(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sums[THREADS];
    const int tx = threadIdx.x;

    // Each thread adds up products one whole grid apart.
    float acc = 0.0f;
    for (int k = blockIdx.x * THREADS + tx; k < K; k += gridDim.x * THREADS) {
        acc += A[k] * B[k];
    }
    sums[tx] = acc;
    // Separates each thread's store to sums above from the reads of it by its partner below.
    __syncthreads();

    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tx < stride) {
            sums[tx] += sums[tx + stride];
        }
        // Separates the stores to sums of this round from the reads of them in the next.
        // It is outside the `if`: every thread of the block must reach it.
        __syncthreads();
    }

    // Blocks cannot wait for each other: each leaves one partial sum, and the host adds them.
    if (tx == 0) {
        C[blockIdx.x] = sums[0];
    }
}
