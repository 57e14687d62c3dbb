#ifdef USE_TYPES
typedef __nv_bfloat16 bf16;
#endif
__global__ void elsewhere(int M, int N, int K, const bf16 *A, const bf16 *B, bf16 *C)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    C[row * N + col] = __float2bfloat16(sum);
}
