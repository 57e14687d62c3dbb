/*---
title   = "One block per row"
order   = 90
entry   = "sgemm_row_per_block"
teaches = "When one block computes a row of C, all its threads read the same row of A at the same time, so the cache can serve them together."
origin  = "tutorial 004, gpu_1"
requires = []
arithmetic = "fp32"
constraints = []
[params.THREADS]
label   = "Threads per block"
choices = [32, 64, 128, 256, 512, 1024]
default = 64
[launch]
block = ["THREADS"]
grid  = ["min(M, max_grid_x)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

extern "C" __global__ void sgemm_row_per_block(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int tx = threadIdx.x;

    // One row per block; if C has more rows than the grid has blocks, the blocks take another turn.
    for (int row = blockIdx.x; row < M; row += gridDim.x) {
        // The threads stride over the columns side by side, so that reads of B and stores to C coalesce.
        for (int col = tx; col < N; col += blockDim.x) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += A[row * K + k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
    }
}
