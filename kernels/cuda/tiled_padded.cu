/*---
title   = "Tiles, A transposed and padded"
order   = 130
entry   = "sgemm_tiled_padded"
teaches = "Most bank conflicts of the transposed tile's stores disappear: one unused column shifts each row by one bank."
origin  = "written as a contrast to tutorial 000, improvement 2"
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
static_shared_bytes = "4 * TILE * (TILE + 1) + 4 * TILE * TILE"
---*/

extern "C" __global__ void sgemm_tiled_padded(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE + 1];  // As[k][row]: transposed; the last column is never used
    __shared__ float Bs[TILE][TILE];      // Bs[k][col]

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Lanes with neighbouring tx now store TILE + 1 words apart. With TILE 32 each of the 32 lanes has a
        // bank to itself; with TILE 16, where a warp covers two rows, a single pair of lanes still shares one.
        As[tx][ty] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = (k0 + ty < K && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
        // Separates the stores to As and Bs above from the reads of them, by other threads, below.
        __syncthreads();

        #pragma unroll
        for (int k = 0; k < TILE; ++k) {
            acc += As[k][ty] * Bs[k][tx];
        }
        // Separates the reads of As and Bs above from the stores of the next pair of tiles.
        __syncthreads();
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
