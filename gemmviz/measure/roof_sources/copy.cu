// Copies M float4 from A to C: the most bytes a second that a kernel moves through the device's memory.
// Each thread has PIECES loads under way before its first store; neighbours in a block move neighbouring 16 bytes.

extern "C" __global__ void copy(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int first = blockIdx.x * (THREADS * PIECES) + threadIdx.x;
    float4 piece[PIECES];

    #pragma unroll
    for (int i = 0; i < PIECES; ++i) {
        if (first + i * THREADS < M) {
            piece[i] = *reinterpret_cast<const float4 *>(&A[4 * (first + i * THREADS)]);
        }
    }
    #pragma unroll
    for (int i = 0; i < PIECES; ++i) {
        if (first + i * THREADS < M) {
            *reinterpret_cast<float4 *>(&C[4 * (first + i * THREADS)]) = piece[i];
        }
    }
}
