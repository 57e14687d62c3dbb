/*---
title   = "Dot product: serial reduction"
order   = 210
entry   = "sdot_serial"
teaches = "One thread adds all partial sums of its block in THREADS steps while the others wait. A tree takes log2(THREADS) rounds."
origin  = "tutorial 002, dot product, alternative 1"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "M == 1", because = "a dot product is a matrix product with one row in A"},
    {rule = "N == 1", because = "a dot product is a matrix product with one column in B"},
    {rule = "is_power_of_two(THREADS)", because = "it is compared with the tree, which needs a power of two"},
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

extern "C" __global__ void sdot_serial(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sums[THREADS];
    const int tx = threadIdx.x;

    // Each thread adds up products one whole grid apart.
    float acc = 0.0f;
    for (int k = blockIdx.x * THREADS + tx; k < K; k += gridDim.x * THREADS) {
        acc += A[k] * B[k];
    }
    sums[tx] = acc;
    // Separates every thread's store to sums above from the reads of them by thread 0 below.
    __syncthreads();

    // Blocks cannot wait for each other: each leaves one partial sum, and the host adds them.
    if (tx == 0) {
        float total = 0.0f;
        for (int t = 0; t < THREADS; ++t) {
            total += sums[t];
        }
        C[blockIdx.x] = total;
    }
}
