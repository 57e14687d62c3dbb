__global__ void warps(const float *A, const float *B, float *C, int M, int N, int K)
{
    int element = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (element >= M * N) return;
    float sum = 0.0f;
    for (int k = lane; k < K; k += warpSize) sum += A[element / N * K + k] * B[k * N + element % N];
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) C[element] = sum;
}

void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    warps<<<(M * N * 32 + 255) / 256, 256>>>(A, B, C, M, N, K);
}
