/*---
title  = "while, do, switch and a for without head, around and between barriers"
entry  = "loops"
[launch]
block = ["4", "4"]
grid  = ["ceil_div(N, 4)", "ceil_div(M, 4)"]
static_shared_bytes = "128"
---*/

__global__ void loops(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[4][4], Bs[4][4];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 4 + ty, col = blockIdx.x * 4 + tx;
    int left = K, base = 0, width;
    float acc = 0.0f;
    while (left > 0) {
        width = min(left, 4);
        As[ty][tx] = row < M && (int)tx < width ? A[row * K + base + tx] : 0.0f;
        Bs[ty][tx] = (int)ty < width && col < N ? B[(base + ty) * N + col] : 0.0f;
        __syncthreads();
        switch (width) {
        case 4:
            acc += As[ty][3] * Bs[3][tx];
            // falls through
        case 3:
            acc += As[ty][2] * Bs[2][tx];
        default: {
            int k = 0;
            do {
                if (k == width) break;
                acc += As[ty][k] * Bs[k][tx];
                ++k;
            } while (k < 2);
            break;
        }
        }
        base += width;
        left -= width;
        __syncthreads();
    }
    for (;;) {
        if (row >= M || col >= N) break;
        C[row * N + col] = acc;
        break;
    }
}
