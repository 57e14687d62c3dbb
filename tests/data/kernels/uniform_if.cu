/*---
title  = "Barriers in both branches of a condition that all threads share"
entry  = "uniform_if"
[launch]
block = ["6"]
grid  = ["N", "M"]
static_shared_bytes = "24"
---*/

__global__ void uniform_if(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[6];
    const int t = threadIdx.x;
    int first = 0, last = K;
    float sum = 0.0f;
    s[t] = 0.0f;
    if (K % 2 == 1) { // the odd one out
        first = 1;
        if (t == 5) s[0] = A[blockIdx.y * K] * B[blockIdx.x];
        __syncthreads();
        sum = t == 0 ? s[0] : 0.0f;
    }
    else /* nothing is left over */ if (K > 4) {
        last -= 2;
        if (t < 2) s[t] = A[blockIdx.y * K + last + t] * B[(last + t) * N + blockIdx.x];
        __syncthreads();
        if (t == 3) sum = s[0] + s[1];
        __syncthreads();
    } else { __syncthreads(); }
    __syncthreads();
    for (int k = first + t; k < last; k += 6)
        sum += A[blockIdx.y * K + k] * B[k * N + blockIdx.x];
    s[t] = sum;
    __syncthreads();
    if (t != 0)
        ;
    else {
        float all = 0.0f;
        for (int i = 0; i < 6; ++i) all += s[i];
        C[blockIdx.y * N + blockIdx.x] = all;
    }
}
