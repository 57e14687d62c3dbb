/*---
title  = "Structures, members of vectors behind pointers, an index before its array, names that OpenCL C has taken"
entry  = "structures"
[launch]
block = ["8"]
grid  = ["N", "M"]
static_shared_bytes = "512"
---*/

struct Pair { float a, b; };
typedef struct { float4 v; int n; } Mixed;

__device__ float dot(float x, float y) { return x * y; }
__device__ float mix(Pair *p, int i) { return dot(p[i].a, p[i].b); }

extern "C" __global__ void structures(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Pair pairs[8];
    __shared__ struct Row { float sums[8]; Pair last; } row;
    __shared__ Mixed mixed[8];
    const int t = threadIdx.x, step = 8;
    float sum = 0.0f;
    for (int k = t; k < K; k += step) {
        Pair *p = &pairs[t];
        p->a = (blockIdx.y * K + k)[A];
        p->b = B[k * N + blockIdx.x];
        sum += mix(pairs, t);
    }
    mixed[t].n = __float_as_int(sum);
    Mixed *m = mixed + t;
    m->v.y = __int_as_float(m->n);
    float4 *v = &m->v;
    v->z = v->y;
    row.sums[t] = (*v).z;
    if (t == 0) { Pair end = {1.0f, 2.0f}; row.last = end; }
    __syncthreads();
    Pair end = row.last;
    if (t == 0) {
        float all = 0.0f;
        for (int i = 0; i < 8; ++i) all += row.sums[i];
        C[blockIdx.y * N + blockIdx.x] = all * end.b / row.last.b;
    }
}
