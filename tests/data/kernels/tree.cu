/*---
title  = "One block per element of C, summed as a tree"
entry  = "tree"
[launch]
block = ["32"]
grid  = ["N", "M"]
static_shared_bytes = "132"
---*/

__global__ void tree(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sums[32];
    __shared__ float total;
    unsigned int t = threadIdx.x;
    float acc = 0.0f;
    for (int k = t; k < K; k += blockDim.x)
        acc = fmaf(A[blockIdx.y * K + k], B[k * N + blockIdx.x], acc);
    sums[t] = acc;
    __syncthreads();
    for (unsigned int half = blockDim.x >> 1; half > 0; half >>= 1) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }
    if (t == 31)
        total = sums[0];
    __syncthreads();
    if (t == 7)
        C[blockIdx.y * N + blockIdx.x] = total;
}
