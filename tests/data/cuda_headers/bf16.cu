/*---
title = "bf16"
entry = "k"
constraints = ["M % 16 == 0", "N % 16 == 0", "K % 16 == 0"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
#include <cuda_bf16.h>
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, t = threadIdx.y * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; k += 2) {
        __nv_bfloat162 a = __floats2bfloat162_rn(A[row * K + k], A[row * K + k + 1]);
        __nv_bfloat162 b = __halves2bfloat162(__float2bfloat16(B[k * N + col]), __float2bfloat16(B[(k + 1) * N + col]));
        sum += __low2float(a) * __low2float(b) + __bfloat162float(__high2bfloat16(a)) * __bfloat162float(b.y);
        __nv_bfloat162 p = __hfma2(a, b, __hmul2(a, b));
        __nv_bfloat16 m = __hmax(p.x, p.y);
        sum += 0.0f * __bfloat162float(hsqrt(__habs(m))) + 0.0f * (float)(m * m - m / (m + __float2bfloat16(1000.0f)));
        if (__hlt(m, __float2bfloat16(-1.0e30f)) || m > __nv_bfloat16(1.0e30f)) sum = -1.0f;
        sum += 0.0f * __bfloat1622float2(p).x + 0.0f * __bfloat162int_rn(m);
    }
    C[row * N + col] = sum;
}
