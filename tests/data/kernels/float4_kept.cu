/*---
title  = "float4 values that a thread keeps across barriers, casts of every kind"
entry  = "float4_kept"
[launch]
block = ["4", "16"]
grid  = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
static_shared_bytes = "2048"
---*/

__global__ void float4_kept(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16 * 16];
    __shared__ float Bs[16 * 16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + 4 * tx;
    float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float4 a, b;

    for (int k0 = 0; k0 < K; k0 += 16) {
        const int k = k0 + 4 * tx;
        a = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        b = a;
        if (row < M) {
            if (K % 4 == 0) {
                if (k < K) a = *reinterpret_cast<const float4 *>(&A[row * K + k]);
            } else {
                if (k < K) a.x = A[row * K + k];
                if (k + 1 < K) a.y = A[row * K + k + 1];
                if (k + 2 < K) a.z = A[row * K + k + 2];
                if (k + 3 < K) a.w = A[row * K + k + 3];
            }
        }
        if (k0 + ty < K) {
            const float *from = B + (k0 + ty) * N;
            if (N % 4 == 0) {
                if (col < N) b = ((const float4 *)(from + col))[0];
            } else {
                b.x = col < N ? from[col] : 0.0f;
                b.y = col + 1 < N ? from[col + 1] : 0.0f;
                b.z = col + 2 < N ? from[col + 2] : 0.0f;
                b.w = col + 3 < N ? from[col + 3] : 0.0f;
            }
        }
        __syncthreads();
        *(float4 *)&As[ty * 16 + 4 * tx] = a;
        reinterpret_cast<float4 *>(Bs)[ty * 4 + tx] = b;
        __syncthreads();
        for (int i = 0; i < 16; ++i) {
            const float4 row_of_b = reinterpret_cast<const float4 *>(Bs)[i * 4 + tx];
            const float factor = static_cast<float>(As[ty * 16 + i]);
            acc.x += factor * row_of_b.x;
            acc.y += factor * row_of_b.y;
            acc.z += factor * row_of_b.z;
            acc.w += factor * row_of_b.w;
        }
    }
    if (row < M) {
        if (col < N) C[row * N + col] = acc.x;
        if (col + 1 < N) C[row * N + col + 1] = acc.y;
        if (col + 2 < N) C[row * N + col + 2] = acc.z;
        if (col + 3 < N) C[row * N + col + 3] = acc.w;
    }
}
