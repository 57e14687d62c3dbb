__kernel void rows(const int Mdim, const int Ndim, const int Pdim, __global const float *A, __global const float *B,
                   __global float *C, __local float *column)
{
    const int i = get_global_id(0), local_id = get_local_id(0), count = get_local_size(0);
    for (int j = 0; j < Ndim; ++j) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = local_id; k < Pdim; k += count) column[k] = B[k * Ndim + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0.0f;
        if (i < Mdim) {
            for (int k = 0; k < Pdim; ++k) sum += A[i * Pdim + k] * column[k];
            C[i * Ndim + j] = sum;
        }
    }
}
