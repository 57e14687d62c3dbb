// a row of A lies in an array of a fixed size, so K may be 1024 at most
__global__ void row_in_shared(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float row[1024];
    for (int k = threadIdx.x; k < K; k += blockDim.x) row[k] = A[blockIdx.x * K + k];
    __syncthreads();
    for (int col = threadIdx.x; col < N; col += blockDim.x) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += row[k] * B[k * N + col];
        C[blockIdx.x * N + col] = sum;
    }
}
