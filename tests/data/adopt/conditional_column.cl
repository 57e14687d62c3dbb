// A, B and C column by column; the host says which KERNEL, and how large TS is
#if KERNEL == 1
__kernel void plain(const int M, const int N, const int K, const __global float* A, const __global float* B,
                    __global float* C) {
    const int row = get_global_id(0);
    const int col = get_global_id(1);
    float acc = 0.0f;
    for (int k = 0; k < K; k++) acc += A[k*M + row] * B[col*K + k];
    C[col*M + row] = acc;
}
#endif

#if KERNEL == 2
__kernel void tiled(const int M, const int N, const int K, const __global float* A, const __global float* B,
                    __global float* C) {
    const int row = get_local_id(0), col = get_local_id(1);
    const int across = TS*get_group_id(0) + row, down = TS*get_group_id(1) + col;
    __local float Asub[TS][TS];
    __local float Bsub[TS][TS];
    float acc = 0.0f;
    for (int t = 0; t < K/TS; t++) {
        Asub[col][row] = A[(TS*t + col)*M + across];
        Bsub[col][row] = B[down*K + TS*t + row];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TS; k++) acc += Asub[k][row] * Bsub[col][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    C[down*M + across] = acc;
}
#endif
