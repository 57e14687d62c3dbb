#define EDGE 16
#define SPLITS 4
__global__ void slices(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * EDGE + threadIdx.y, col = blockIdx.x * EDGE + threadIdx.x;
    int slice = (K + SPLITS - 1) / SPLITS, begin = blockIdx.z * slice, end = min(K, begin + slice);
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = begin; k < end; ++k) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}

void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(EDGE, EDGE), grid((N + EDGE - 1) / EDGE, (M + EDGE - 1) / EDGE, SPLITS);
    slices<<<grid, block>>>(A, B, C, M, N, K);
}
