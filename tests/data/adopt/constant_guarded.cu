#ifndef SIZE
#define SIZE 8192
#endif
__global__ void guarded(const float *A, const float *B, float *C)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;
    for (int k = 0; k < SIZE; ++k) sum += A[row * SIZE + k] * B[k * SIZE + col];
    C[row * SIZE + col] = sum;
}
