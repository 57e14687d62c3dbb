"""Built-in functions, conversions, conditions and loads of OpenCL C compute on the PTX machine what PoCL computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.opencl.conditions import lines_at_fault, with_choices
from gemmviz.domain.device import Device
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.trace.analyse import analyse

pytestmark = pytest.mark.usefixtures("nvrtc")

SHAPE = Shape(16, 16, 64)
HEAD = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["8", "8"]
grid = ["2", "2"]
---*/
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
__kernel void mine(__global const float *A, __global const float *B, __global float *C, int M, int N, int K)
{
    const int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    float sum = A[y * K + x] * B[x];
"""
KINDS = {
    "conditions of vectors": (
        "{ float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; float4 r = v < w ? v : w; sum += dot(r,(float4)(1,"
        "2,3,4)); } { float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; float4 r = (v < w) ? (float4)(1.0f) : "
        "w; int4 m=(int4)(0,-1,0,-1); r += m ? v : w; sum += dot(r,(float4)(1,2,3,4)); } { float4 "
        "v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; v.xy = v.xy > w.xy ? v.xy : w.zw; int c = x > 3; float4 r "
        "= c ? v : w; sum += dot(r,v); float4 q = x > 2 ? v.xyzw : w.wzyx; sum+=q.x; }"
    ),
    "any and all": (
        "float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; if (any(v < w)) sum += 1; if (all(v == v)) sum += "
        "2; while (any(v < w)) { v += 1.0f; w -= 1.0f; } sum += v.x;"
    ),
    "components by an index": (
        "{ float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; float *p = (float*)&v; for (int i=0; i<4; ++i) "
        "sum += p[(i+x)&3]*i; ((float*)&w)[x&3] = 9.0f; sum += dot(w,v); } { union { float4 v; float a[4]; } u; "
        "u.v = (float4)(1,2,3,4); sum += u.a[x&3]; u.a[y&3]=7.0f; sum += u.v.x+u.v.w; }"
    ),
    "increments": ("int4 n=(int4)(1,2,3,4); int4 m=n++; m += ++n; n--; --n; m = m + n--; sum += m.x+m.y+n.z+n.w;"),
    "assignments to swizzles": (
        "float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; int4 n=(int4)(1,2,3,4); v.xy += w.zw; v.zw -= 2.0f; "
        "v.wx *= w.xy; v.yz /= (float2)(2.0f,4.0f); n.xy <<= 2; n.zw >>= (int2)(1,2); n.xw |= 5; n.yz &= n.xy; "
        "n.x ^= 3; n.xy %= 3; n.zw ^= 1; sum += dot(v,w)+n.x+n.y+n.z+n.w;"
    ),
    "shifts": (
        "int4 n=(int4)(1,2,3,4); uint4 u=(uint4)(1u,2u,3u,4u); n = n << (int4)(1,2,3,33); u = u >> 1; u <<= "
        "(uint4)(1u); n = n >> 1; sum += n.x+n.y+n.z+n.w+u.x+u.w; uchar4 c=(uchar4)(200,3,4,5); c = c << "
        "(uchar4)(1); sum += c.x+c.y; short8 s=(short8)(3); s >>= (short)1; sum += s.s7;"
    ),
    "loads and stores": (
        "{ float2 a=vload2(y,A); float2 b=vload2(x,B); sum += a.x*b.y; } { float3 a=vload3(y,A); float3 "
        "b=vload3(x,B); sum += a.x*b.y+a.z; float p[6]; vstore3(a,1,p); sum+=p[3]+p[5]; } { float8 a=vload8(y,"
        "A); float8 b=vload8(x,B); sum += a.s7*b.s6; float p[16]; vstore8(a,1,p); sum+=p[8]+p[15]; float "
        "q[64*8]; vstore8(b,ly*8+lx,q); sum += vload8(ly*8+lx,q).s3; }"
    ),
    "halves": (
        "ushort p[32]; for(int i=0; i<32; i++) p[i]=0x3c00+i*7; sum += vload_half(2,(half*)p); float4 "
        "h=vload_half4(1,(const half*)p); sum+=dot(h,h); vstore_half(1.1f,3,(half*)p); vstore_half4_rtz(h*1.37f,"
        "2,(half*)p); vstore_half2_rte((float2)(1.0001f,2.7182f),7,(half*)p); sum += p[3]+p[8]+p[9]+p[14]+p[15]; "
        "sum += vloada_half4(1,(half*)p).y;"
    ),
    "reinterpretations": (
        "float4 v=(float4)(x,y,1,2); int4 n=as_int4(v); uint2 u=as_uint2((float2)(1,2)); uchar4 "
        "c=as_uchar4(0x01020304); sum += (n.x>>20)+u.y/65536+c.x+c.w; sum += as_float(as_int(sum)) + "
        "as_uint(1.0f)/65536u; int q=as_int((uchar4)(1,2,3,4)); sum+=q/65536; float2 "
        "d=as_float2(as_double((float2)(1,2))); sum+=d.y; sum += as_short2(7).x; short2 "
        "s2=as_short2(0x00010002); sum+=s2.y; sum+=as_long((int2)(1,0));"
    ),
    "conversions": (
        "float4 v=(float4)(-1.5f,300.2f,2.5f,3.5f); uchar4 c=convert_uchar4_sat(v); int4 r=convert_int4_rte(v), "
        "f=convert_int4_rtn(v), g=convert_int4_rtp(v), z=convert_int4_rtz(v); sum += c.x+c.y+c.z+r.x+10*r.z+"
        "100*r.w+f.x*3+g.z*5+z.x; sum += convert_int_rte(2.5f)+convert_int_rtp(2.1f)+convert_uchar_sat(300.0f)+"
        "convert_char_sat(-300)+convert_short_sat(70000)+convert_uint_sat(-5.0f)+convert_float(3)+"
        "convert_int_sat_rte(3.5f); ushort4 us=convert_ushort4_sat((int4)(-3,70000,5,6)); sum += us.x+us.y+us.z; "
        "sum+=convert_float4(c).y+convert_long4(r).x;"
    ),
    "common functions": (
        "float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; float4 m=mad(v,w,v)+fma(v,w,w); sum += dot(m,m)+"
        "dot(mad(2.0f,v,w)+fma(v,w,0.5f),mad(v,3.0f,w))+"
        "dot(v.xyz,w.xyz)+clamp(sum,-5.0f,5.0f)+mix(1.0f,3.0f,0.5f)+dot(clamp(v,-1.0f,1.0f),mix(v,w,0.25f))+"
        "dot(clamp(v,w,w+1.0f),step(v,w));"
    ),
    "mathematics": (
        "float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; sum += length((float2)(3,4))+distance((float2)(1,1),"
        "(float2)(4,5))+dot(cross((float3)(1,2,3),(float3)(4,5,6)),(float3)(1,2,3))+sign(-2.0f)+step(1.0f,2.0f)+"
        "max(1.0f,sum)+fmax(1.0f,2.0f)+fmin(3.0f,sum)+fabs(-1.0f)+floor(1.5f)+ceil(1.2f)+trunc(2.7f)+rint(2.5f)+"
        "round(2.5f)+fmod(7.5f,2.0f); sum+= degrees(0.0f)+radians(0.0f)+copysign(3.0f,-1.0f)+fdim(3.0f,1.0f)+"
        "maxmag(1.0f,-3.0f)+minmag(1.0f,-3.0f)+ldexp(1.0f,3)+ilogb(8.0f);"
    ),
    "geometry and relations": (
        "float4 v=(float4)(1.5f,-2.0f,3.0f,-4.0f), w=v.wzyx; float4 n = normalize(v); float f; float "
        "fr=fract(2.75f,&f); float4 s4=sign(v); float4 st=smoothstep((float4)(0.0f),(float4)(1.0f),"
        "(float4)(0.5f)); sum += fr+f+s4.x+st.x+smoothstep(0.0f,1.0f,0.5f); int4 isn=isnan(v); sum+=isn.x+"
        "isnan(1.0f)+isinf(sum)+isfinite(sum)+signbit(-1.0f); sum += isequal(1.0f,1.0f)+isgreater(1.0f,2.0f)+"
        "isless(1.0f,2.0f)-(isless(v,w)).x;"
    ),
    "integers": (
        "sum += abs(-3)+abs_diff(3,7)+add_sat((char)100,(char)100)+hadd(3,6)+rhadd(3,6)+clz(1u)+rotate(1u,"
        "31u)/65536+sub_sat((uchar)3,(uchar)5)+upsample((short)1,(ushort)2)/65536+mad_hi(1<<30,8,1)+"
        "mad_sat(1<<20,1<<20,5)/65536+popcount(255); int4 n=(int4)(1,-2,3,-4); uint4 a=abs(n); sum+=a.x+a.y+"
        "max(n,0).x+min(n,(int4)(2)).z+clamp(n,-1,2).w+popcount(a).y+rotate(a,(uint4)(2u)).x+mul24(n,n).y+"
        "mad24(n,n,n).z+abs_diff(n,n.wzyx).x+clz(n).x+mul_hi(n,n).x;"
    ),
    "native functions": (
        "sum += native_sqrt(4.0f)+half_sqrt(9.0f)+native_recip(2.0f)+half_recip(4.0f)+native_divide(1.0f,4.0f)+"
        "rsqrt(4.0f)+pown(2.0f,3)+powr(2.0f,2.0f)+pow(2.0f,2.0f)+sqrt(16.0f)+hypot(3.0f,4.0f)+rootn(16.0f,4)+"
        "exp2(3.0f)+log2(8.0f)+native_exp2(2.0f)+native_log2(4.0f)+half_divide(1.0f,2.0f)+native_powr(2.0f,"
        "2.0f); sum=rint(sum);"
    ),
    "copies by a work-group": (
        "local float t[64], s[64]; event_t e = async_work_group_copy(t, A + (y-ly)*K, 64, 0); e = "
        "async_work_group_copy(s, B, 64, e); wait_group_events(1,&e); sum += t[ly*8+lx]+s[lx*8+ly]; "
        "barrier(CLK_LOCAL_MEM_FENCE); t[ly*8+lx]=sum; barrier(CLK_LOCAL_MEM_FENCE); event_t es[2]; "
        "es[0]=async_work_group_strided_copy(s, B, 64, 2, (event_t)0); es[1]=async_work_group_copy(t, A, "
        "(size_t)8, 0); wait_group_events(2,es); sum += s[lx]+t[3]; prefetch(A,64);"
    ),
    "copies of vectors": (
        "local float4 t[16]; event_t e = async_work_group_copy(t, (const global float4*)A, 16, 0); "
        "wait_group_events(1,&e); sum += t[lx].y;"
    ),
    "integers of 64 bits": (
        "long n=1L<<40; ulong4 u=(ulong4)(1UL); sum += (float)(n>>38)+u.x+convert_int(u.y); size_t "
        "z=get_global_id(0); ptrdiff_t p=3; uintptr_t q=0; sum+=z+p+q+(float)popcount(n)+ (float)mul_hi(1UL<<40,"
        "1UL<<40);"
    ),
    "small integers": (
        "char4 c=(char4)(1,2,3,-4); uchar16 u=(uchar16)(7); short2 s=(short2)(1,2); c = c*c; sum += c.w+u.sF+s.y+"
        "(c.x<c.y)+(c<(char4)(3)).x; int4 i=convert_int4(c); sum+=i.w; bool b = x>3; sum+=b;"
    ),
    "selections": (
        "int4 n=select((int4)(1),(int4)(2),(int4)(0,-1,0,-1)); uint4 u=select((uint4)(1),(uint4)(2),(uint4)(0,"
        "0x80000000u,0,1)); sum+=n.y+u.y*2+u.w*3+select(1,2,x>2)+bitselect(0xff,0x0f,0x3c)+"
        "dot(select((float4)(1),(float4)(2),isless((float4)(1),(float4)(0,2,0,2))),(float4)(1,2,3,4))+"
        "shuffle((float4)(1,2,3,4),(uint4)(3,2,1,0)).x+shuffle2((float4)(1,2,3,4),(float4)(5,6,7,8),(uint4)(7,0,"
        "1,2)).x+bitselect((float4)(1),(float4)(2),(float4)(0)).x;"
    ),
    "conditions in macros": (
        "float4 v = (float4)(1.5f, -2.0f, 3.0f, -4.0f), w = LARGER(v.wzyx, v); sum += dot(w, LARGER(LARGER(v, w),"
        " v.yyyy)) + LARGER(x, y) + (x < 8 ? A[x] : B[y]);"
    ),
}


def c_of(device: Device, path: Path) -> np.ndarray:
    """C as the kernel of a file computes it."""
    kernel = load_user_kernel(path)
    with Bench() as bench:
        ready = bench.prepare(kernel, kernel.params({}), device, make_inputs(SHAPE, Fill.INTEGERS, 3), 60.0)
        try:
            ready.launcher.run()
            return ready.result()
        finally:
            ready.release()


@pytest.mark.parametrize("kind", KINDS)
def test_that_it_computes_what_an_opencl_device_does(embedded: OpenDevice, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.cl"
    path.write_text(f"{HEAD}    {KINDS[kind]}\n    C[y * N + x] = sum;\n}}\n", "utf-8")
    expected = c_of(embedded.device, path)
    assert np.isfinite(expected).all()
    np.testing.assert_array_equal(c_of(find_device("machine"), path), expected)


def recorded(device: MachineDevice, path: Path, body: str, form: CodeForm) -> tuple[set[tuple[int, int]], str]:
    """The line and width of each access to global memory of one block, and what it printed."""
    path.write_text(f"{HEAD}{body}\n    C[y * N + x] = sum;\n}}\n", encoding="utf-8")
    kernel = load_user_kernel(path)
    plan = kernel.plan(SHAPE, kernel.params({}), device.device)
    recorder = recorder_for(device, kernel, plan, SHAPE, make_operands(SHAPE, Fill.INTEGERS, 3), 60.0, form)
    made = analyse(recorder, np.zeros(1, np.int32), SHAPE)
    assert made.hazards == ()
    sites = [
        one for one in recorder.instrumented.sites if made.columns.requests[one.index] and one.space is Space.GLOBAL
    ]
    return {(one.line, one.width_bytes) for one in sites}, recorder.printed


OWN = {(12, 4)}
"""Of the line that begins the sum."""


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("sum += vload4(y, A).y + vload4(y, A).x + vload4(y, A).z + vload4(y, A).w;", {(13, 4)}),
        ("float4 v = ((__global const float4 *)A)[y]; sum += dot(v, v);", {(13, 16)}),
        (
            "float4 v = ((__global const float4 *)A)[y], w = v > 1.0f ? v : vload4(y, B); sum += dot(w, w);",
            {(13, 16), (13, 4)},
        ),
        (
            "const __global half *h = (const __global half *)A; sum += dot(vloada_half4(y, h), vload_half4(x, h));",
            {(13, 8), (13, 2)},
        ),
        (
            "__local float t[64]; event_t e = async_work_group_copy(t, B, 64, 0); "
            "wait_group_events(1, &e); sum += t[lx];",
            {(13, 4)},
        ),
        (
            "double2 d = ((__global const double2 *)B)[lx]; sum += convert_float2_rtz(d).x + convert_float2(d).y;",
            {(13, 16)},
        ),
    ],
)
def test_that_accesses_have_their_line_and_width(
    machine: MachineDevice, tmp_path: Path, form: CodeForm, line: str, found: set[tuple[int, int]]
) -> None:
    assert recorded(machine, tmp_path / "mine.cl", f"    {line}", form)[0] == OWN | found | {(14, 4)}


def test_that_vectors_are_printed(machine: MachineDevice, tmp_path: Path) -> None:
    body = """    if (x == 0 && y == 0) {
        float4 v = (float4)(1.5f, 2, 3, 4);
        printf("%.1v4hlf and %v2hld %s, %d of %5.2f%%\\n", v.wzyx, (int2)(1, -2), "words", x, 1.5f);
        printf("%v4hhx\\n", (uchar4)(10, 11, 12, 255));
    }"""
    printed = recorded(machine, tmp_path / "mine.cl", body, CodeForm.AS_WRITTEN)[1]
    assert printed == "4.0,3.0,2.0,1.5 and 1,-2 words, 0 of  1.50%\na,b,c,ff\n"


def test_that_a_header_is_opencl_c_as_well(machine: MachineDevice, tmp_path: Path) -> None:
    (tmp_path / "of.h").write_text("float4 of(global const float *p, int i) { return vload4(i, p); }\n", "utf-8")
    path, head = tmp_path / "mine.cl", HEAD.replace("---*/", '---*/\n#include "of.h"')
    path.write_text(f"{head}    sum += of(B, lx).y;\n    C[y * N + x] = sum;\n}}\n", encoding="utf-8")
    kernel = load_user_kernel(path)
    plan = kernel.plan(SHAPE, kernel.params({}), machine.device)
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    recorder = recorder_for(machine, kernel, plan, SHAPE, operands, 60.0, CodeForm.AS_WRITTEN)
    made = analyse(recorder, np.zeros(1, np.int32), SHAPE)
    found = {(one.line, one.header) for one in recorder.instrumented.sites if one.array == "B"}
    assert found == {(13, ""), (14, "of.h:1")}
    assert made.hazards == ()


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("v = a < b ? x : y;", "v = gemmviz_choice(a < b , x , y);"),
        ("f(a ? b : c, d);", "f(gemmviz_choice(a , b , c), d);"),
        ("return a ? b : c ? d : e;", "return gemmviz_choice(a , b , gemmviz_choice(c , d , e));"),
        ("v += a ? b ? c : d : e;", "v += gemmviz_choice(a , gemmviz_choice(b , c , d) , e);"),
        ("x = y[a ? 1 : 2] == (b) ? c : d;", "x = gemmviz_choice(y[gemmviz_choice(a , 1 , 2)] == (b) , c , d);"),
        ("case 1: v = a ? b : c; // ? :", "case 1: v = gemmviz_choice(a , b , c); // ? :"),
        ('printf("a ? b : c"); v <<= a ? b : c;', 'printf("a ? b : c"); v <<= gemmviz_choice(a , b , c);'),
        ("if (a) { v = a ? b : c; } else v = 1;", "if (a) { v = gemmviz_choice(a , b , c); } else v = 1;"),
    ],
)
def test_that_a_choice_becomes_a_call(line: str, made: str) -> None:
    assert with_choices(f"int a ? b : c;\n{line}\n", {2}) == f"int a ? b : c;\n{made}\n"


def test_that_choices_of_macros_change_where_a_line_has_none() -> None:
    text = "#define MAX(a, b) (a) > (b) ? \\\n (a) : (b)\nv = MAX(v, w);\nx = y ? 1 : 2;\n"
    made = "#define MAX(a, b) gemmviz_choice((a) > (b) , \\\n (a) , (b))\nv = MAX(v, w);\nx = y ? 1 : 2;\n"
    assert with_choices(text, {3}) == made
    assert with_choices(text, {4}) == text.replace("y ? 1 : 2", "gemmviz_choice(y , 1 , 2)")


def test_that_the_lines_are_those_of_the_kernels_file() -> None:
    log = (
        "kernel.cu(17): error: expression must have bool type (or be convertible to bool)\n"
        "of.h(3): error: expression must have bool type (or be convertible to bool)\n"
        'kernel.cu(19): error: operand types are incompatible ("a" and "b")\n'
    )
    assert lines_at_fault(log, "kernel.cu") == {17, 19}
