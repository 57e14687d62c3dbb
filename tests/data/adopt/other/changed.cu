// Products of matrices that something is done to, and what combines rows and columns as no product does.
#define PLACE int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x; if (i >= M || j >= N) return; float s = 0.0f

__global__ void symm(const float *A, const float *B, float *C, int M, int N)
{
    PLACE;
    for (int l = 0; l < M; ++l) s += (l <= i ? A[i * M + l] : A[l * M + i]) * B[l * N + j];
    C[i * N + j] = s;
}
__global__ void tiled_a(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += A[(i / 8 * (K / 8) + l / 8) * 64 + i % 8 * 8 + l % 8] * B[l * N + j];
    C[i * N + j] = s;
}
__global__ void padded(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += A[i * (K + 1) + l] * B[l * N + j];
    C[i * N + j] = s;
}
__global__ void squared(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += A[i * K + l] * B[l * N + j];
    C[i * N + j] = s + C[i * N + j] * C[i * N + j];
}
__global__ void magnitudes(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += fabsf(A[i * K + l]) * B[l * N + j];
    C[i * N + j] = s;
}
__global__ void tropical(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    s = -1e30f;
    for (int l = 0; l < K; ++l) s = fmaxf(s, A[i * K + l] + B[l * N + j]);
    C[i * N + j] = s;
}
__global__ void syrk(const float *A, float *C, int N, int K, float alpha, float beta)
{
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    if (i >= N || j > i) return;
    float s = 0.0f;
    for (int l = 0; l < K; ++l) s += A[i * K + l] * A[j * K + l];
    C[i * N + j] = alpha * s + beta * C[i * N + j];
}
__global__ void one_element(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (blockIdx.x + blockIdx.y + threadIdx.x + threadIdx.y == 0) C[0] = A[0] * B[0] + A[1] * A[1];
}
__global__ void waves(const float *A, const float *B, float *C, int M, int N, int K)
{
    PLACE;
    for (int l = 0; l < K; ++l) s += A[i * K + l] * B[l * N + j];
    C[i * N + j] = s + 4.0f * cosf(s);
}
