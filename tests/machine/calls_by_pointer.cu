typedef float (*Operation)(float, float);
typedef unsigned long long Word;

__device__ __noinline__ float add(float a, float b) { return a + b; }
__device__ __noinline__ float multiply(float a, float b) { return a * b; }
__device__ __noinline__ float subtract(float a, float b) { return a - b; }
__device__ Operation operations[] = {add, multiply, subtract};

extern "C" __global__ void loop(float *out, int steps)
{
    float value = threadIdx.x;
    for (int step = 0; step < steps; ++step)
        value = operations[(threadIdx.x + step) % 3](value, 2.0f);
    out[threadIdx.x] = value;
}

struct Pair { long long first, second; };
template <typename T> __device__ __noinline__ T same(T value) { return value; }
template <typename T> __device__ __noinline__ T opposite(T value) { return -value; }
__device__ __noinline__ Pair sorted(long long a, long long b) { return {a + b, a - 3 * b}; }
__device__ __noinline__ Pair turned(long long a, long long b) { return {a - b, a + 3 * b}; }

extern "C" __global__ void widths(long long *out, int odd)
{
    int thread = threadIdx.x;
    bool turns = thread % 2 == odd;
    signed char (*of_8)(signed char) = turns ? opposite<signed char> : same<signed char>;
    short (*of_16)(short) = turns ? opposite<short> : same<short>;
    int (*of_32)(int) = turns ? opposite<int> : same<int>;
    long long (*of_64)(long long) = turns ? opposite<long long> : same<long long>;
    double (*of_double)(double) = turns ? opposite<double> : same<double>;
    Pair (*of_pair)(long long, long long) = turns ? turned : sorted;
    long long *mine = out + 7 * thread;
    mine[0] = of_8(thread);
    mine[1] = of_16(thread * 300);
    mine[2] = of_32(thread * 70000);
    mine[3] = of_64(thread * (1ll << 40));
    mine[4] = (long long)(of_double(thread * 0.5) * 4);
    Pair pair = of_pair(thread, 1);
    mine[5] = pair.first;
    mine[6] = pair.second;
}

struct Shape { __device__ virtual double area(double side) const = 0; };
struct Scaled : Shape {
    double factor;
    __device__ __noinline__ double area(double side) const override { return factor * side; }
};
struct Shifted : Shape {
    __device__ __noinline__ double area(double side) const override { return side + 1; }
};
struct Named { int name; Operation operation; };
__device__ Named named[] = {{1, add}, {2, multiply}};
struct __attribute__((packed)) Packed { char letter; Operation operation; };
__constant__ Packed packed[] = {{'a', subtract}, {'b', add}};

extern "C" __global__ void tables(double *out, int which)
{
    Scaled scaled;
    scaled.factor = 3;
    Shifted shifted;
    const Shape *shape = threadIdx.x % 3 == which ? (const Shape *)&scaled : (const Shape *)&shifted;
    out[threadIdx.x] = shape->area(threadIdx.x) + named[threadIdx.x % 2].operation(threadIdx.x, 2)
        + 1000 * packed[threadIdx.x % 2].operation(threadIdx.x, 1);
}

typedef int (*OfOne)(int);
__device__ __noinline__ int warp_sum(int value)
{
    int sum = value;
    for (int distance = 16; distance; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    return value + sum;
}
__device__ __noinline__ int through(int value, OfOne next) { return next(value); }
__device__ __noinline__ int twice_through(int value, OfOne next) { return 2 * next(value); }
__device__ OfOne of_one[] = {warp_sum, same<int>};
__device__ int (*of_two[])(int, OfOne) = {through, twice_through};

extern "C" __global__ void nested(int *out, int count)
{
    out[threadIdx.x] = of_two[threadIdx.x % count](threadIdx.x, of_one[0]);
}

__device__ int countdown(int left);
__device__ OfOne next_of[] = {countdown, same<int>};
__device__ __noinline__ int countdown(int left)
{
    return left ? next_of[left > 50](left - 1) : 7;  // calls itself
}

extern "C" __global__ void itself(int *out, int left)
{
    out[threadIdx.x] = next_of[0](left);
}
