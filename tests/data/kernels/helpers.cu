/*---
title  = "Helpers that take global and shared pointers, and call each other"
entry  = "helpers"
[launch]
block = ["8", "4"]
grid  = ["ceil_div(N, 8)", "ceil_div(M, 4)"]
static_shared_bytes = "384"
---*/
#define STEP 8

__device__ __forceinline__ float product(float a, float b) { return a * b; }

__device__ float dot(const float *a, int a_step, const float *b, int b_step, int count)
{
    float sum = 0.0f;
    const float *end = a + count * a_step;
    for (; a != end; a += a_step, b += b_step)
        sum += product(*a, *b);
    return sum;
}

static inline __device__ void fetch(float *to, const float *from, int inside)
{
    *to = inside ? *from : 0.0f;
}

__global__ void helpers(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                        int M, int N, int K)
{
    __shared__ float As[4][STEP];
    __shared__ float Bs[STEP][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 4 + ty, col = blockIdx.x * 8 + tx;
    int whole = K / STEP * STEP;
    float acc[1] = {0.0f};

    for (int k0 = 0; k0 < whole; k0 += STEP) {
        fetch(&As[ty][tx], A + row * K + k0 + tx, row < M);
        fetch(&Bs[ty][tx], B + (k0 + ty) * N + col, col < N);
        fetch(Bs[ty + 4] + tx, B + (k0 + ty + 4) * N + col, col < N);
        __syncthreads();
        acc[0] += dot(As[ty], 1, &Bs[0][tx], 8, STEP);
        __syncthreads();
    }
    if (row < M && col < N) {
        acc[0] += dot(&A[row * K + whole], 1, B + whole * N + col, N, K - whole);
        fetch(&C[row * N + col], acc, 1);
    }
}
