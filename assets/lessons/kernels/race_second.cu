/*---
title   = "Tiles, written short"
order   = 1
entry   = "sgemm_short"
teaches = "Without a barrier at the end of the loop, a thread can overwrite a slot before another has read it."
origin  = "tutorial 001, without bounds checks"
requires = []
arithmetic = "fp32"
constraints = [
    {rule = "M % TILE == 0", because = "there are no bounds checks"},
    {rule = "N % TILE == 0", because = "there are no bounds checks"},
    {rule = "K % TILE == 0", because = "there are no bounds checks"},
]
[params.TILE]
label   = "Tile edge"
choices = [2, 4, 8, 16]
default = 4
[launch]
block = ["TILE", "TILE"]
grid  = ["N // TILE", "M // TILE"]
shared_bytes = "0"
static_shared_bytes = "2 * 4 * TILE * TILE"
---*/

extern "C" __global__ void sgemm_short(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();

        for (int k = 0; k < TILE; ++k) {
            sum += As[ty][k] * Bs[k][tx];
        }
    }
    C[row * N + col] = sum;
}
