/*---
title  = "A member of a structure is read while another thread writes it"
entry  = "faulty"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "512"
---*/

struct Pair { float a, b; };

extern "C" __global__ void faulty(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x, t = threadIdx.y * 8 + threadIdx.x;
    __shared__ Pair pairs[64];
    Pair *own = pairs + t, *other = pairs + 63 - t;
    own->a = 1.0f;
    own->b = other->a;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
        C[row * N + col] = acc;
    }
}
