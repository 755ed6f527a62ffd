"""A prompt comes from the command line, standard input or a file, and is refused in a sentence."""

from pathlib import Path

import pytest
from answers import Ask, refused
from safetensors.numpy import load_file

TRACE = ("trace", "-o", "t.safetensors")


def ids_shown() -> int:
    return len(load_file("t.safetensors")["embed"])


def test_a_prompt_is_the_same_from_everywhere(ask: Ask) -> None:
    lengths = []
    Path("p.txt").write_bytes("el niño\n".encode())
    for arguments, given in (
        (("--prompt", "el niño"), b""),
        (("--prompt", "-"), "el niño\n".encode()),
        (("--prompt-file", "p.txt"), b""),
    ):
        assert ask(*TRACE, *arguments, given=given)[::2] == (0, "")
        lengths.append(load_file("t.safetensors")["embed"].tolist())
    assert lengths[0] == lengths[1] == lengths[2]


def test_one_line_break_at_the_end_is_no_part_of_the_prompt(ask: Ask) -> None:
    counts = []
    for text in (b"a", b"a\n", b"a\r\n", b"\xef\xbb\xbfa\n", b"a\n\n"):
        Path("p.txt").write_bytes(text)
        assert ask(*TRACE, "--prompt-file", "p.txt")[0] == 0
        counts.append(ids_shown())
    assert counts[:4] == [counts[0]] * 4
    assert counts[4] > counts[0]


def test_a_file_may_hold_a_dash(ask: Ask) -> None:
    Path("p.txt").write_bytes(b"-")
    assert ask(*TRACE, "--prompt-file", "p.txt", given=b"a b c")[0] == 0
    assert ids_shown() == 1


@pytest.mark.parametrize(
    ("arguments", "given", "said"),
    [
        (("--prompt", "-"), b"", "empty"),
        (("--prompt", "-"), b"a\xffb", "bad byte at place 2"),
        (("--prompt", "-"), b"a" * 1_000_001, "too long"),
        (("--prompt", "-"), b"a\x00", "U+0000"),
        (("--prompt-file", "none.txt"), b"", "none.txt"),
        (("--prompt-file", "."), b"", "cannot be read"),
        (("--prompt", "a", "--prompt-file", "p.txt"), b"", "not both"),
    ],
)
def test_what_is_no_prompt_is_refused_in_a_sentence(
    ask: Ask, arguments: tuple[str, ...], given: bytes, said: str
) -> None:
    Path("p.txt").write_bytes(b"a dog")
    refused(ask(*TRACE, *arguments, given=given), said)
