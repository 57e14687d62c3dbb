"""A product of matrices in Numba: tiles of A and B in shared memory, one step of K after the other."""

from numba import cuda, float32

TILE = 8


@cuda.jit(device=True)
def product(As, Bs, ty, tx):
    acc = float32(0.0)
    for k in range(TILE):
        acc += As[ty, k] * Bs[k, tx]
    return acc


@cuda.jit
def matmul(A, B, C):
    As = cuda.shared.array((TILE, TILE), float32)
    Bs = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    acc = float32(0.0)
    for k0 in range(0, A.shape[1], TILE):
        As[ty, tx] = A[row, k0 + tx] if row < A.shape[0] and k0 + tx < A.shape[1] else float32(0.0)
        Bs[ty, tx] = B[k0 + ty, column] if k0 + ty < B.shape[0] and column < B.shape[1] else float32(0.0)
        cuda.syncthreads()
        acc += product(As, Bs, ty, tx)
        cuda.syncthreads()
    if row < C.shape[0] and column < C.shape[1]:
        C[row, column] = acc
