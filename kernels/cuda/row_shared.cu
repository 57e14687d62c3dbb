/*---
title   = "One block per row, A shared"
order   = 100
entry   = "sgemm_row_shared"
teaches = "The block copies its row of A into shared memory once. B, the larger part of the traffic, is still read from global memory for every row."
origin  = "tutorial 004, gpu_2 (it has room for 256 elements of A and overruns beyond; here the room is K)"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "16 * ceil_div(K, 4) <= shared_bytes_per_block", because = "a whole row of A, K floats in groups of four (16 bytes), must fit into the shared memory of one block"},
]
[params.THREADS]
label   = "Threads per block"
choices = [32, 64, 128, 256, 512, 1024]
default = 64
[launch]
block = ["THREADS"]
grid  = ["min(M, max_grid_x)"]
shared_bytes = "16 * ceil_div(K, 4)"
static_shared_bytes = "0"
---*/

extern "C" __global__ void sgemm_row_shared(const float *A, const float *B, float *C, int M, int N, int K)
{
    // K floats; the launch says how many. It rounds up to groups of four, because nvcc reads the row in such groups
    // and may fetch, though never use, what follows the last element.
    extern __shared__ float a_row[];
    const int tx = threadIdx.x;

    for (int row = blockIdx.x; row < M; row += gridDim.x) {
        for (int k = tx; k < K; k += blockDim.x) {
            a_row[k] = A[row * K + k];
        }
        // Separates the stores to a_row above from the reads of it, by every thread, below.
        __syncthreads();

        for (int col = tx; col < N; col += blockDim.x) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += a_row[k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
        // Separates the reads of a_row above from the stores to it for the block's next row.
        __syncthreads();
    }
}
