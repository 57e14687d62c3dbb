/*---
title  = "Pointers that a thread keeps across barriers, into global and shared memory"
entry  = "pointer_kept"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/

__global__ void pointer_kept(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8][8], Bs[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, col = blockIdx.x * 8 + tx;
    const float *a = A + row * K + tx, *b = B + ty * N + col;
    float *my_a = &As[ty][tx], *my_b = Bs[ty] + tx;
    const float *a_row = &As[ty][0];
    const float *b_column;
    b_column = &Bs[0][tx];
    float acc = 0.0f;
    int k0 = 0;
    for (; k0 < K; k0 += 8) {
        *my_a = row < M && k0 + tx < K ? *a : 0.0f;
        *my_b = k0 + ty < K && col < N ? *b : 0.0f;
        a += 8;
        b += 8 * N;
        __syncthreads();
        for (int k = 0; k < 8; k++)
            acc += a_row[k] * b_column[8 * k];
        __syncthreads();
    }
    if (row < M && col < N)
        *(C + row * N + col) = acc;
}
