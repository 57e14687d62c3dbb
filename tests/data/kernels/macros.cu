/*---
title  = "Accesses behind macros, as tutorials write them"
entry  = "macros"
[launch]
block = ["4", "4"]
grid  = ["ceil_div(N, 4)", "ceil_div(M, 4)"]
static_shared_bytes = "128"
---*/
#define BM 4
#define BK BM
#define OFFSET(r, c, ld) ((r) * (ld) + (c))
#define A(i, j) A[OFFSET(i, j, K)]
#define B(i, j) B[OFFSET(i, j, N)]
#define C(i, j) \
    C[OFFSET(i, j, N)]
#define FETCH_FLOAT4(p) (reinterpret_cast<float4*>(&(p))[0])
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define TX threadIdx.x
#define TY threadIdx.y
#define SYNC() __syncthreads()
#define LOAD_OR(condition, from, other) ((condition) ? (from) : (other))
#define STORE_TILE(tile, value)   \
    do {                          \
        tile[TY][TX] = (value);   \
    } while (0)
#define real float

extern "C" __global__ void macros(const real *A, const real *B, real *C, int M, int N, int K)
{
    __shared__ real As[BM][BK], Bs[BK][BM];
    const int row = blockIdx.y * BM + TY, col = blockIdx.x * BM + TX;
    real acc = 0.0f;

    for (int k0 = 0; k0 < K; k0 += BK) {
        STORE_TILE(As, LOAD_OR(row < M && k0 + TX < K, A(row, k0 + TX), 0.0f));
        STORE_TILE(Bs,
                   LOAD_OR(k0 + TY < K && col < N, B(k0 + TY, col), 0.0f));
        SYNC();
        const float4 a = FETCH_FLOAT4(As[TY][0]);
        const int last = MIN(BK, K - k0);
        acc += a.x * Bs[0][TX];
        if (last > 1) acc += a.y * Bs[1][TX];
        if (last > 2) acc += a.z * Bs[2][TX];
        if (last > 3) acc += a.w * Bs[3][TX];
        SYNC();
    }
    if (row < M && col < N)
        C(row, col) = acc;
}
