/*---
title   = "Shared-memory tiles"
order   = 110
entry   = "sgemm_tiled"
teaches = "A block loads a tile of A and a tile of B into shared memory once, and all its threads reuse them: global memory is read TILE times less often."
origin  = "tutorial 000, improvement 1; tutorial 001; tutorial 004, gpu_3 (the last two without bounds checks)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "TILE * TILE <= max_threads_per_block", because = "a block has one thread for each of the TILE x TILE elements of its tile"},
]
[params.TILE]
label   = "Tile edge"
choices = [2, 4, 8, 16, 32]
default = 16
[launch]
block = ["TILE", "TILE"]
grid  = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
shared_bytes = "0"
static_shared_bytes = "2 * 4 * TILE * TILE"
---*/

extern "C" __global__ void sgemm_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    // The block's rows of A and columns of B pass by one tile after the other.
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Each thread fetches one element of either tile, or zero outside a matrix.
        As[ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < K && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        // Separates the reads of As and Bs above from the stores of the next pair of tiles.
        __syncthreads();
    }

    // Threads outside C helped to load and have nothing to store.
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
