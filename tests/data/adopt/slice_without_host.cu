__global__ void slices(const float *A, const float *B, float *C, int M, int N, int K, int slice)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    int begin = blockIdx.z * slice, end = min(K, begin + slice);
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = begin; k < end; ++k) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}
