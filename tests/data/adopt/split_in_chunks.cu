#define CHUNK 48
__global__ void chunks(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, first = blockIdx.z * CHUNK;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = first; k < K && k < first + CHUNK; ++k) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}
