__global__ void tiles(float *P, float *Md, float *Nd, int Width, int TILE)
{
    extern __shared__ float both[];
    float *left = both, *right = both + TILE * TILE;
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int m = 0; m < Width / TILE; ++m) {
        left[ty * TILE + tx] = Md[row * Width + m * TILE + tx];
        right[ty * TILE + tx] = Nd[(m * TILE + ty) * Width + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += left[ty * TILE + k] * right[k * TILE + tx];
        __syncthreads();
    }
    P[row * Width + col] = sum;
}

int main()
{
    int Width = 512, TILE = 16;
    float *a, *b, *c;
    dim3 block(TILE, TILE), grid(Width / TILE, Width / TILE);
    tiles<<<grid, block, 2 * TILE * TILE * sizeof(float)>>>(c, a, b, Width, TILE);
}
