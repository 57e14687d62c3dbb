/*---
title  = "One name for several variables, in one scope inside another"
entry  = "shadowed"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/

__global__ void shadowed(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8][8];
    __shared__ float Bs[8][8];
    int i = threadIdx.y, j = threadIdx.x;
    int row = blockIdx.y * 8 + i, col = blockIdx.x * 8 + j;
    float acc = 0.0f;
    for (int k = 0; k < K; k += 8) {
        float acc_here = 0.0f;
        {
            int i = threadIdx.x, j = threadIdx.y;      // the other way round
            As[j][i] = row < M && k + i < K ? A[row * K + k + i] : 0.0f;
            __syncthreads();
            Bs[j][i] = k + j < K && col < N ? B[(k + j) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            float acc = As[i][k];
            acc *= Bs[k][j];
            acc_here += acc;
        }
        __syncthreads();
        acc += acc_here;
    }
    if (row < M && col < N) {
        int i = row * N + col;
        C[i] = acc;
    }
}
