/*---
title   = "Tiles, running sum in global"
order   = 190
entry   = "sgemm_tiled_global_accumulate"
teaches = "Tiles save most reads of A and B, but a running sum kept in C still goes through global memory at every step."
origin  = "tutorial 002, with shared memory (it never sets C to zero; here every thread does)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "TILE * TILE <= max_threads_per_block", because = "a block has one thread for each of the TILE x TILE elements of its tile"},
]
[params.TILE]
label   = "Tile edge"
choices = [2, 4, 8, 16, 32]
default = 2
[launch]
block = ["TILE", "TILE"]
grid  = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
shared_bytes = "0"
static_shared_bytes = "2 * 4 * TILE * TILE"
---*/

extern "C" __global__ void sgemm_tiled_global_accumulate(const float *A, const float *B, float *C,
                                                         int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    // C arrives with anything in it. No other thread touches this element, so no barrier is needed for it.
    if (row < M && col < N) {
        C[row * N + col] = 0.0f;
    }

    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < K && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        // The one difference from `tiled`: the running sum is C itself, not a register.
        // nvcc makes one read and one store per tile of it, because shared memory cannot overlap C.
        if (row < M && col < N) {
            #pragma unroll
            for (int k = 0; k < TILE; ++k) {
                C[row * N + col] += As[ty][k] * Bs[k][tx];
            }
        }
        // Separates the reads of As and Bs above from the stores of the next pair of tiles.
        __syncthreads();
    }
}
