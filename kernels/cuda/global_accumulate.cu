/*---
title   = "Running sum in global memory"
order   = 180
entry   = "sgemm_global_accumulate"
teaches = "Adding every product straight into C stores each element K times to global memory instead of once. A running sum belongs in a register."
origin  = "tutorial 002, without shared memory (it never sets C to zero; here every thread does)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "TILE * TILE <= max_threads_per_block", because = "a block has one thread for each of the TILE x TILE elements of its tile"},
]
[params.TILE]
label   = "Block edge"
choices = [2, 4, 8, 16, 32]
default = 16
[launch]
block = ["TILE", "TILE"]
grid  = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

extern "C" __global__ void sgemm_global_accumulate(const float *A, const float *B, float *C,
                                                   int M, int N, int K)
{
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {
        // C holds arbitrary values at first, so the sum begins with a store. No other thread touches this element.
        C[row * N + col] = 0.0f;
        // Written as a read, an addition and a store for each k. nvcc remembers the value and drops the read, but
        // must keep every store: for all it knows, C overlaps A or B, and the next read may want the new value.
        for (int k = 0; k < K; ++k) {
            C[row * N + col] += A[row * K + k] * B[k * N + col];
        }
    }
}
