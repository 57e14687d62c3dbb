// Multiplies and adds, which compilers fuse, K times in each of SUMS independent sums of every thread: the most float32
// operations a second. Factor and addend come from A and B, so that no compiler knows them; every sum ends in C, so that
// none is left out.

extern "C" __global__ void fma_rate(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int thread = blockIdx.x * THREADS + threadIdx.x;
    const float factor = A[0];
    const float addend = B[0];
    float sum[SUMS];

    #pragma unroll
    for (int i = 0; i < SUMS; ++i) {
        sum[i] = A[i] + thread;
    }
    for (int k = 0; k < K; ++k) {
        #pragma unroll
        for (int i = 0; i < SUMS; ++i) {
            sum[i] = sum[i] * factor + addend;
        }
    }
    float total = 0.0f;
    #pragma unroll
    for (int i = 0; i < SUMS; ++i) {
        total += sum[i];
    }
    C[thread] = total;
}
