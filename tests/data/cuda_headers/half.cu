/*---
title = "half"
entry = "k"
constraints = ["M % 16 == 0", "N % 16 == 0", "K % 16 == 0"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cuda_fp16.h>
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, t = threadIdx.y * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 2) {
        __half2 a = __floats2half2_rn(A[row * K + k], A[row * K + k + 1]);
        __half2 b = __halves2half2(__float2half(B[k * N + col]), __float2half_rn(B[(k + 1) * N + col]));
        __half2 p = __hmul2(a, b);
        p = __hfma2(a, b, __hsub2(__hadd2(p, p), __hadd2(p, p)));
        sum += __low2float(p) + __half2float(__high2half(p));
        __half m = __hmax(__low2half(p), __high2half(p));
        sum += 0.0f * __half2float(hsqrt(__habs(m))) + 0.0f * (float)(m * m - m / (m + __float2half(100.0f)));
        if (__hlt(m, __float2half(-60000.0f)) || m > __half(60000.0f)) sum = -1.0f;
        sum += 0.0f * __half22float2(h2exp(__hmul2(p, __float2half2_rn(0.0f)))).x + 0.0f * __half2int_rn(m) ;
    }
    C[row * N + col] = sum;
}
