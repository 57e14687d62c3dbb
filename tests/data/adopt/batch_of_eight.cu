__global__ void eight(const float *A, const float *B, float *C, int M, int N, int K, long long sA, long long sB,
                      long long sC)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    A += blockIdx.z * sA; B += blockIdx.z * sB; C += blockIdx.z * sC;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
int main()
{
    float *A, *B, *C;
    int products = 8;
    eight<<<dim3(4, 4, products), dim3(16, 16)>>>(A, B, C, 64, 64, 64, 64 * 64, 64 * 64, 64 * 64);
}
