/*---
title   = "Wide tiles: fewer barriers"
order   = 140
entry   = "sgemm_tiled_wide"
teaches = "Loading F tiles of A and of B per step takes F times the shared memory and needs F times fewer barriers. The global traffic stays the same."
origin  = "tutorial 001, section 4 (its card had 16 KB of shared memory)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "TILE * TILE <= max_threads_per_block", because = "a block has one thread for each of the TILE x TILE elements of its tile of C"},
    {rule = "2 * 4 * F * TILE * TILE <= shared_bytes_per_block", because = "F tiles of A and F tiles of B, of 4 * TILE * TILE bytes each, must fit into the shared memory of one block"},
]
[params.TILE]
label   = "Tile edge"
choices = [2, 4, 8, 16, 32]
default = 16
[params.F]
label   = "Tiles per step"
choices = [1, 2, 4, 8]
default = 4
[launch]
block = ["TILE", "TILE"]
grid  = ["ceil_div(N, TILE)", "ceil_div(M, TILE)"]
shared_bytes = "0"
static_shared_bytes = "2 * 4 * F * TILE * TILE"
---*/

extern "C" __global__ void sgemm_tiled_wide(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][F * TILE];
    __shared__ float Bs[F * TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < K; k0 += F * TILE) {
        // Each thread fetches F elements of A, to the right of each other, and F of B, one below the other.
        #pragma unroll
        for (int f = 0; f < F; ++f) {
            const int ka = f * TILE + tx;
            const int kb = f * TILE + ty;
            As[ty][ka] = (row < M && k0 + ka < K) ? A[row * K + k0 + ka] : 0.0f;
            Bs[kb][tx] = (k0 + kb < K && col < N) ? B[(k0 + kb) * N + col] : 0.0f;
        }
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < F * TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        // Separates the reads of As and Bs above from the stores of the next step.
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
