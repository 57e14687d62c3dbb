typedef float real;
typedef const real *__restrict__ In;
typedef real *__restrict__ Out;

__global__ void aliased(Out c, In a, In b, int M, int N, int K) {
    int n = blockIdx.x * 32 + threadIdx.x, m = blockIdx.y * 4 + threadIdx.y;
    if (m >= M || n >= N) return;
    real sum = 0;
    for (int k = 0; k < K; ++k) sum += a[m * K + k] * b[k * N + n];
    c[m * N + n] = sum;
}

void launch(int M, int N, int K, const real *a, const real *b, real *c) {
    dim3 block(32, 4), grid((N + 31) / 32, (M + 3) / 4);
    aliased<<<grid, block>>>(c, a, b, M, N, K);
}
