"""Sentences for property tests of the extraction: any text, and words that its grammar knows."""

from hypothesis import strategies as st

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["if", "the", "kiln", "cools", "and", ",", "which", "it's", "never", "do",
         "`oven -x`", "(dry)", '"it is"', "to",
         "Glaze", "potters", "fire", "of", ".", ":", "v1.2.", "’", "`", "(", "火"]
    ), max_size=30,
).map(" ".join)  # fmt: skip
