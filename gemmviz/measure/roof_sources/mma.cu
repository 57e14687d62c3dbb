// Multiplies small matrices on the tensor cores, K times in each of SUMS independent sums of every warp, by mma.sync:
// the most TF32 (m16n8k8) or bf16 (m16n8k16, with BF16) operations a second of an instruction that every GPU since
// compute capability 8.0 has. On 9.0 it reaches about 62 % of what wgmma does there.

extern "C" __global__ void mma_rate(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int thread = blockIdx.x * THREADS + threadIdx.x;
    unsigned a[4];
    unsigned b[2];
    float sum[SUMS][4];

    #pragma unroll
    for (int i = 0; i < 4; ++i) {
        a[i] = __float_as_uint(A[threadIdx.x * 4 + i]);             // bits: of one TF32, or of two bf16
    }
    #pragma unroll
    for (int i = 0; i < 2; ++i) {
        b[i] = __float_as_uint(B[threadIdx.x * 2 + i]);
    }
    #pragma unroll
    for (int s = 0; s < SUMS; ++s) {
        #pragma unroll
        for (int i = 0; i < 4; ++i) {
            sum[s][i] = A[i] * s;
        }
    }
    for (int k = 0; k < K; ++k) {
        #pragma unroll
        for (int s = 0; s < SUMS; ++s) {
#if BF16
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#else
            asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                         "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#endif
                         : "+f"(sum[s][0]), "+f"(sum[s][1]), "+f"(sum[s][2]), "+f"(sum[s][3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
        }
    }
    float total = 0.0f;
    #pragma unroll
    for (int s = 0; s < SUMS; ++s) {
        total += sum[s][0] + sum[s][1] + sum[s][2] + sum[s][3];
    }
    C[thread] = total;
}
