"""Windows: ranges that cover a text, fit, and go on."""

from hypothesis import given
from hypothesis import strategies as st

from gate.providers.windows import cut


@given(
    st.integers(0, 120).flatmap(
        lambda count: st.tuples(st.just(count), st.lists(st.integers(1, max(count, 1)), unique=True).map(sorted))
    ),
    st.integers(2, 60),
    st.integers(0, 30),
)
def test_ranges_cover_fit_and_advance(counted, size, overlap):
    count, breaks = counted
    ranges = cut(count, [b for b in breaks if b < count], size, overlap)
    assert [end for _, end in ranges] == sorted({end for _, end in ranges})
    assert all(0 < end - start <= size for start, end in ranges)
    assert all(
        earlier[1] - 2 * overlap <= later[0] <= earlier[1] for earlier, later in zip(ranges, ranges[1:], strict=False)
    )
    assert (ranges[0][0], ranges[-1][1]) == (0, count) if count else not ranges


def test_ranges_end_and_begin_at_breaks_and_overlap():
    assert cut(10, [2, 4, 6, 8], 5, 2) == [(0, 4), (2, 6), (4, 8), (6, 10)]
    assert cut(7, [], 3, 1) == [(0, 3), (3, 6), (6, 7)]
