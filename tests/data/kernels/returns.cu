/*---
title  = "No barrier, and returns from inside loops and switches"
entry  = "returns"
[launch]
block = ["7", "3"]
grid  = ["ceil_div(N, 7)", "ceil_div(M, 3)"]
---*/

extern "C" {
__global__ void returns(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 3 + threadIdx.y;
    int col = blockIdx.x * 7 + threadIdx.x;
    if (row >= M) return;
    for (;; col++) {
        if (col >= N) return;
        float acc = 0.0f;
        for (int k = 0;; ++k) {
            switch (k == K) {
            case 1:
                C[row * N + col] = acc;
                return;
            }
            acc += A[row * K + k] * B[k * N + col];
        }
    }
}
}
