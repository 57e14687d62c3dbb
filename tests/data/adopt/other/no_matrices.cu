#include <cuComplex.h>
#define PLACE int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x; if (i >= M || j >= N) return

__global__ void batch(const float *const *A, const float *const *B, float *const *C, int M, int N, int K)
{
    PLACE;
    float s = 0.0f;
    for (int l = 0; l < K; ++l) s += A[blockIdx.z][i * K + l] * B[blockIdx.z][l * N + j];
    C[blockIdx.z][i * N + j] = s;
}
__global__ void complexes(const cuFloatComplex *A, const cuFloatComplex *B, cuFloatComplex *C, int M, int N, int K)
{
    PLACE;
    cuFloatComplex s = make_cuFloatComplex(0, 0);
    for (int l = 0; l < K; ++l) s = cuCaddf(s, cuCmulf(A[i * K + l], B[l * N + j]));
    C[i * N + j] = s;
}
__global__ void pairs(const float2 *A, const float2 *B, float2 *C, int M, int N, int K)
{
    PLACE;
    float2 s = make_float2(0, 0);
    for (int l = 0; l < K; ++l) {
        float2 a = A[i * K + l], b = B[l * N + j];
        s.x += a.x * b.x - a.y * b.y;
        s.y += a.x * b.y + a.y * b.x;
    }
    C[i * N + j] = s;
}
__global__ void spmm(const int *rows, const int *where, const float *values, const float *B, float *C, int M, int N)
{
    PLACE;
    float s = 0.0f;
    for (int p = rows[i]; p < rows[i + 1]; ++p) s += values[p] * B[where[p] * N + j];
    C[i * N + j] = s;
}
__global__ void quantised(
    const signed char *A, const signed char *B, const float *of_row, const float *of_column, float *C, int M, int N, int K)
{
    PLACE;
    int s = 0;
    for (int l = 0; l < K; ++l) s += A[i * K + l] * B[l * N + j];
    C[i * N + j] = s * of_row[i] * of_column[j];
}
