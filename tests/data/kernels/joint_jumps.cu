/*---
title  = "All threads leave a loop, go on or return together; at the end each returns by itself"
entry  = "joint_jumps"
[launch]
block = ["4", "4"]
grid  = ["ceil_div(N, 4)", "ceil_div(M, 4) + 1"]
static_shared_bytes = "256"
---*/

__device__ void fill(float tile[4][4], const float *from, int ty, int tx, int row, int col,
                     int rows, int cols)
{
    tile[ty][tx] = row < rows && col < cols ? from[row * cols + col] : 0.0f;
}

__device__ float dot4(const float (*a)[4], float b[4][4], int ty, int tx)
{
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) sum += a[ty][k] * b[k][tx];
    return sum;
}

extern "C" __global__ void joint_jumps(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[2][4][4], Bs[2][4][4];
    if (blockIdx.y * 4 >= M) return; // the grid is one row of blocks too high
    int tx = threadIdx.x, ty = threadIdx.y, now = 0, turns = 0, k0 = 0;
    float sum = 0.0f;
    fill(As[0], A, ty, tx, blockIdx.y * 4 + ty, tx, M, K);
    fill(Bs[0], B, ty, tx, ty, blockIdx.x * 4 + tx, K, N);
    __syncthreads();
    while (1) {
        if (k0 + 4 < K) {
            fill(As[now ^ 1], A, ty, tx, blockIdx.y * 4 + ty, k0 + 4 + tx, M, K);
            fill(Bs[now ^ 1], B, ty, tx, k0 + 4 + ty, blockIdx.x * 4 + tx, K, N);
        }
        sum += dot4(As[now], Bs[now], ty, tx);
        k0 += 4;
        if (k0 >= K) break;
        now ^= 1;
        __syncthreads();
    }
    do {
        if (turns == 1) continue;
        __syncthreads();
        As[0][ty][tx] = sum;
        __syncthreads();
        sum = As[0][ty][3 - tx];
    } while (++turns < 3);
    int row = blockIdx.y * 4 + ty, col = blockIdx.x * 4 + tx;
    if (row >= M) return;
    if (col >= N) return;
    C[row * N + col] = sum;
}
