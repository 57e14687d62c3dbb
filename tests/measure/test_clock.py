from gemmviz.measure.clock import SystemClock, elapsed_ms, elapsed_s


def test_that_the_system_clock_never_goes_back() -> None:
    clock = SystemClock()
    readings = [clock.now_ns() for _ in range(1000)]
    assert readings == sorted(readings)
    assert readings[-1] > readings[0]


def test_that_nanoseconds_become_milliseconds_and_seconds() -> None:
    assert elapsed_ms(1_000_000, 3_500_000) == 2.5
    assert elapsed_s(1_000_000_000, 3_500_000_000) == 2.5
