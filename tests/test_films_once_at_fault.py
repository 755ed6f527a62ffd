"""What `make sweep` once found wrong with a film stays right: a prompt for each fault."""

import pytest

from checking.check import check_film
from scenes import FILMS
from scenes.film import Request

COUNTING = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
FAULTS = (
    ("scale-then-softmax", "?", "no product is below zero, and nothing moved while it was said"),
    ("queries-keys-values", "the the the the the", "names of equal vectors left the stage"),
    ("clocks-for-positions", "!?!? ... ---", "words without height left no room for places"),
    ("from-one-hot-to-embedding", "1234567890", "a cosine of one stood on its arrows"),
    ("queries-keys-values", "the blue forest", "the query's arrow lay on the asker's numbers"),
    ("a-space-with-directions", "Straße", "a hero that training never met, with all at 0 degrees"),
    ("one-token-at-a-time", "?", "the model's box was narrower than its name"),
    ("every-prefix-is-an-exam", "American shrew mole", "a bar's edge ran through its percentage"),
    ("one-head-as-matrices", "2 + 2 = 4", "a letter was cut by the frame as the camera came near"),
    ("one-head-as-matrices", "el niño comió café", "weights went through the name of the keys"),
    ("cutting-text-into-tokens", "je ne mange pas", "two letters were small on a bare stage"),
    ("many-heads", "{a} <b> #c $d", "an answer left the stage"),
    ("many-heads", COUNTING, "the weight of the first word left the stage"),
    ("dot-product-grid", "don't say 'never'", "short arrows left the stage bare"),
    ("build-a-block", "el niño comió café", "the word swapped in is wider, with fewer letters"),
    ("every-prefix-is-an-exam", "Zürich 12 and the old king", "the answer was listed as a bet"),
    ("every-prefix-is-an-exam", "NO WAY!", "the uncovered word still counted among all others"),
    ("queries-keys-values", "日本語", "names of nearly one vector stood on arrows and on angles"),
    ("queries-keys-values", COUNTING, "names of many arrows stood on each other"),
    ("queries-keys-values", "I ❤️ cats", "shares under two short words stood on each other"),
    (
        "scale-then-softmax",
        "A robot must obey the orders given it by human beings",
        "a sum that went back and forth ran through the name of its axis",
    ),
    ("scale-then-softmax", "el niño comió café", "the last row's share was cut by the frame"),
    ("shuffle-the-words", "a\u2060\u3164cat", "a byte's own name took the digit of its place"),
    ("shuffle-the-words", "I love 🤖 robots", "an arrow's name lay on the arrow after it"),
    ("from-one-hot-to-embedding", "日本語", "equal vectors: a name lay on their arrow's tip"),
    ("from-one-hot-to-embedding", COUNTING, "a cosine stood on the name of its arrow"),
    ("cutting-text-into-tokens", "日本語", "one word stood alone, and nothing moved"),
    ("cutting-text-into-tokens", "NO WAY!", "the ring of a space cut the wide letter after it"),
    ("dot-product-grid", "Straße", "the product stood on the edge of its area"),
    ("dot-product-grid", "hello", "a sentence of two words was taken for one that fills the stage"),
    ("one-token-at-a-time", "NO WAY!", "a share lay half within its bar, half beside it"),
    (
        "build-a-block",
        "the cat sat on the mat and the cat sat on the mat",
        "the other word, on its end, reached out of the stage",
    ),
    ("queries-keys-values", "the the the", "a name on an arrow stood on the words over it"),
    ("shuffle-the-words", COUNTING, "the last of many slanted names left the stage"),
    (
        "shuffle-the-words",
        "To date, the cleverest thinker of all time was",
        "a long slanted name that changed places with a short one stood on the next",
    ),
    ("the-whole-road", "hello", "an arc went through the name of the block that it belongs to"),
    ("build-a-block", "I ❤️ cats", "the name of a byte, cut to its room, was taken for a number"),
    ("thinking-alone", "2 + 2 = 4", "what was told of a number stood on the name of an axis"),
    (
        "one-token-at-a-time",
        "Michael Jordan plays the sport of",
        "a share of nearly all kept the camera far from two answers",
    ),
)


@pytest.mark.parametrize(
    ("slug", "prompt", "fault"), FAULTS, ids=[f"{slug}-{prompt}" for slug, prompt, _ in FAULTS]
)
def test_a_fault_that_was_mended_is_gone(slug: str, prompt: str, fault: str) -> None:
    film = next(each for each in FILMS if each.slug() == slug)
    assert check_film(film, Request(prompt=prompt)).findings == (), fault
