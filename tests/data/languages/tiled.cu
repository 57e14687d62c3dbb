// A product of matrices with tiles in shared memory; tiled.ptx is what NVRTC made of it, as PTX of version 8.0.
#define TILE 8

extern "C" __global__ void __launch_bounds__(TILE * TILE)
matmul(const float *A, const float *B, float *C, int M, int N, int K, float alpha)
{
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = column < N && k0 + ty < K ? B[(k0 + ty) * N + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < M && column < N) {
        C[row * N + column] = alpha * acc;
    }
}
