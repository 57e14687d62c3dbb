// The host code gives N / 4 vectors and K / TILE tiles instead of N and K.
#define TILE 8

__global__ void vectors(const float *a, const float4 *b, float4 *c, int m, int n4, int tiles)
{
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row >= m || column >= n4)
        return;
    float4 sum = {0, 0, 0, 0};
    for (int k = 0; k < tiles * TILE; k++) {
        float one = a[row * tiles * TILE + k];
        float4 four = b[k * n4 + column];
        sum.x += one * four.x;
        sum.y += one * four.y;
        sum.z += one * four.z;
        sum.w += one * four.w;
    }
    c[row * n4 + column] = sum;
}

void multiply(const float *a, const float *b, float *c, int rows, int columns, int inner)
{
    int vectors_of_line = columns / 4;
    dim3 block(8, 8), grid((vectors_of_line + 7) / 8, (rows + 7) / 8);
    vectors<<<grid, block>>>(a, (const float4 *)b, (float4 *)c, rows, vectors_of_line, inner / TILE);
}
