#define EDGE 8
#define REAL float
__attribute__((reqd_work_group_size(8, 8, 1)))
__kernel void tiles(__global const REAL *a, __global const REAL *b, __global REAL *c, __local REAL *As, __local REAL *Bs,
                  const int M, const int N, const int K, const REAL alpha, const REAL beta)
{
    const int edge = EDGE, x = get_local_id(0), y = get_local_id(1);
    const int row = get_global_id(1), col = get_global_id(0);
    REAL sum = 0.0f;
    for (int step = 0; step < K; step += edge) {
        As[y * edge + x] = (row < M && step + x < K) ? a[row * K + step + x] : 0.0f;
        Bs[y * edge + x] = (col < N && step + y < K) ? b[(step + y) * N + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < edge; ++k) sum += As[y * edge + k] * Bs[k * edge + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M && col < N) c[row * N + col] = alpha * sum + beta * c[row * N + col];
}
