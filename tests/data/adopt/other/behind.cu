#define PLACE int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x; if (i >= M || j >= N) return; float s = 0.0f

__global__ void gelu(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += A[i * K + l] * B[l * N + j];
    C[i * N + j] = 0.5f * s * (1.0f + erff(s * 0.70710678f));
}
__global__ void dequantised(const float *A, const float *B, const float *scale, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += A[i * K + l] * B[l * N + j];
    C[i * N + j] = s * scale[j];
}
__global__ void trmm(const float *L, const float *B, float *C, int M, int N)
{
    PLACE;
    for (int l = 0; l <= i; ++l) s += L[i * M + l] * B[l * N + j];
    C[i * N + j] = s;
}
__global__ void lower(const float *A, const float *B, float *C, int n, int k)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= n || j > i) return;
    float s = 0.0f;
    for (int l = 0; l < k; ++l) s += A[i * k + l] * B[l * n + j];
    C[i * n + j] = s;
}
__global__ void rows_of_softmax(const float *Q, const float *K, float *P, int n, int d)
{
    extern __shared__ float line[];
    for (int j = threadIdx.x; j < n; j += blockDim.x) {
        line[j] = 0.0f;
        for (int k = 0; k < d; ++k) line[j] += Q[blockIdx.x * d + k] * K[j * d + k];
    }
    __syncthreads();
    float peak = line[0], total = 0.0f;
    for (int j = 1; j < n; ++j) peak = fmaxf(peak, line[j]);
    for (int j = 0; j < n; ++j) total += expf(line[j] - peak);
    for (int j = threadIdx.x; j < n; j += blockDim.x) P[blockIdx.x * n + j] = expf(line[j] - peak) / total;
}
void run(const float *A, const float *B, const float *v, float *C, int M, int N, int K)
{
    gelu<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
    dequantised<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, v, C, M, N, K);
    trmm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N);
    lower<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(A, B, C, N, K);
    rows_of_softmax<<<N, 128, N * sizeof(float)>>>(A, B, C, N, K);
}
