/*---
title  = "A pointer into a thread's own array, used beyond the next barrier"
entry  = "private_pointer"
[launch]
block = ["9"]
grid  = ["N", "M"]
static_shared_bytes = "36"
---*/

__global__ void private_pointer(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[9];
    int t = threadIdx.x;
    float mine[2] = {0.0f, 1.0f}, single = 0.0f;
    float *sum = mine, *last = &single;
    float four[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    float *inner = &four[2];
    for (int k = t; k < K; k += 9) sum[0] += A[blockIdx.y * K + k] * B[k * N + blockIdx.x];
    __syncthreads();
    *last = sum[0] * sum[1] * inner[0] / 3.0f;
    __syncthreads();
    s[t] = *last;
    __syncthreads();
    if (t == 0) {
        float all = 0.0f;
        for (int i = 0; i < 9; ++i) all += s[i];
        C[blockIdx.y * N + blockIdx.x] = all;
    }
}
