/*---
title  = "Two buffers: the next tile is fetched while this one is used"
entry  = "double_buffer"
[launch]
block = ["8", "8"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
static_shared_bytes = "1024"
---*/
constexpr int TILE = 8;

__global__ void double_buffer(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    int now = 0;
    float acc = 0.0f, next_a, next_b;

    As[now][y][x] = row < M && x < K ? A[row * K + x] : 0.0f;
    Bs[now][y][x] = y < K && col < N ? B[y * N + col] : 0.0f;
    __syncthreads();
    for (int k0 = TILE; k0 < K + TILE; k0 += TILE) {
        next_a = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
        next_b = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
        #pragma unroll
        for (int k = 0; k < TILE; ++k) {
            acc += As[now][y][k] * Bs[now][k][x];
        }
        now ^= 1;
        As[now][y][x] = next_a;
        Bs[now][y][x] = next_b;
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}
