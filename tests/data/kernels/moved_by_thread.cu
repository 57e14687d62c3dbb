/*---
title  = "Parameters moved by each thread, with a barrier between"
entry  = "moved_by_thread"
[launch]
block = ["5", "7"]
grid  = ["ceil_div(N, 5)", "ceil_div(M, 7)"]
static_shared_bytes = "140"
---*/

__global__ void moved_by_thread(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float mine[35];
    int row = blockIdx.y * 7 + threadIdx.y;
    int col = blockIdx.x * 5 + threadIdx.x;
    int rows = M, stride = N;

    M -= row;                  // a value parameter that differs between threads
    A += min(row, rows - 1) * K;
    B += min(col, N - 1);
    C += row * N + col;
    float acc = 0.0f;
    while (K > 0) {            // and one that all threads count down together
        mine[threadIdx.y * 5 + threadIdx.x] = *A++;
        __syncthreads();
        acc += mine[threadIdx.y * 5 + threadIdx.x] * *B;
        B += stride;
        K--;
        __syncthreads();
    }
    if (M > 0 && col < N)
        *C = acc;
}
