__kernel void staged(__global const float *A, __global const float *B, __global float *C, __local float *tile, int M, int N, int K)
{
    const int edge = get_local_size(0), x = get_local_id(0), y = get_local_id(1);
    const int row = get_group_id(1) * edge + y, col = get_group_id(0) * edge + x;
    float sum = 0.0f;
    for (int step = 0; step < K; step += edge) {
        tile[y * edge + x] = A[row * K + step + x];
        tile[edge * edge + y * edge + x] = B[(step + y) * N + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < edge; ++k) sum += tile[y * edge + k] * tile[edge * edge + k * edge + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[row * N + col] = sum;
}
