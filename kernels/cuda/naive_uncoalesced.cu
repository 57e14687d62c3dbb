/*---
title   = "Uncoalesced: x selects the row"
order   = 70
entry   = "sgemm_naive_uncoalesced"
teaches = "Exchanging x and y leaves the arithmetic unchanged, but the lanes of a warp now access addresses a whole row apart, and each row needs a sector of its own."
origin  = "written as a contrast to tutorial 000, original"
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
grid  = ["min(ceil_div(M, THREAD), max_grid_x)", "min(ceil_div(N, THREAD), max_grid_y)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

extern "C" __global__ void sgemm_naive_uncoalesced(const float *A, const float *B, float *C,
                                                   int M, int N, int K)
{
    // The one difference from `naive`: threadIdx.x, which runs fastest within a warp, chooses the row.
    // Neighbouring lanes read A at distance K and write C at distance N.
    const int first_row = blockIdx.x * blockDim.x + threadIdx.x;
    const int first_col = blockIdx.y * blockDim.y + threadIdx.y;

    for (int row = first_row; row < M; row += gridDim.x * blockDim.x) {
        for (int col = first_col; col < N; col += gridDim.y * blockDim.y) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += A[row * K + k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
    }
}
