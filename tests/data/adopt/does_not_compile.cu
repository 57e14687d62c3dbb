__global__ void broken(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = A[threadIdx.x] * undeclared(B);
