/*---
title   = "One thread per element"
order   = 60
entry   = "sgemm_naive"
teaches = "Each thread computes one element of C straight from global memory, so each element of A is loaded N times and each element of B M times."
origin  = "tutorial 000, original (its column index is not reset in the nested grid-stride loop; here it is)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "THREAD * THREAD <= max_threads_per_block", because = "a block is a square with THREAD threads along each edge"},
]
[params.THREAD]
label   = "Block edge"
choices = [2, 4, 8, 16, 32]
default = 16
[launch]
block = ["THREAD", "THREAD"]
grid  = ["min(ceil_div(N, THREAD), max_grid_x)", "min(ceil_div(M, THREAD), max_grid_y)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

extern "C" __global__ void sgemm_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    // Neighbouring threads take neighbouring columns: a warp reads B and writes C in consecutive addresses,
    // and its lanes in one row of C all want the same element of A.
    const int first_row = blockIdx.y * blockDim.y + threadIdx.y;
    const int first_col = blockIdx.x * blockDim.x + threadIdx.x;

    // Grid-stride loops: where the grid is smaller than C, each thread goes on one whole grid further.
    // The column starts afresh for every row, so any grid computes all of C.
    for (int row = first_row; row < M; row += gridDim.y * blockDim.y) {
        for (int col = first_col; col < N; col += gridDim.x * blockDim.x) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += A[row * K + k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
    }
}
