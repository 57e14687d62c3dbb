/*---
title   = "One thread per element, 1-D"
order   = 80
entry   = "sgemm_naive_1d"
teaches = "Threads can be numbered straight through C: a division gives the row, the remainder the column. A block may begin in one row and end in the next."
origin  = "tutorial 004, gpu_0"
requires = []
arithmetic = "fp32"
constraints = []
[params.THREADS]
label   = "Threads per block"
choices = [32, 64, 128, 256, 512, 1024]
default = 64
[launch]
block = ["THREADS"]
grid  = ["ceil_div(M * N, THREADS)"]
shared_bytes = "0"
static_shared_bytes = "0"
---*/

extern "C" __global__ void sgemm_naive_1d(const float *A, const float *B, float *C, int M, int N, int K)
{
    // i is the place of the element in C as it lies in memory, row after row.
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    // The last block is seldom full: its spare threads have no element.
    if (i < M * N) {
        const int row = i / N;
        const int col = i % N;
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[i] = acc;
    }
}
