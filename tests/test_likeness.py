"""What is said of how alike tokens are is true of those that stand there."""

from scenes.likeness import Likeness, akin, any_two, of_all_tokens, of_the_nearest, of_two_words
from scenes.provenance import Value


def test_words_akin_are_chosen_only_if_both_are_whole() -> None:
    assert akin({" motel": 4, " hotel": 7, " dog": 1, " cow": 2}.get) == (4, 7)
    assert akin({" motel": 4, " dog": 1, " cow": 0}.get) == (1, 0)
    assert akin({" dog": 1}.get) is None


def test_any_two_tokens_are_different_where_there_are_two() -> None:
    pieces = dict.fromkeys(range(6), "")
    assert any_two([3, 3, 5], lambda ids: {i: pieces[i] for i in ids if i in pieces}) == (3, 5)
    assert any_two([3], lambda ids: {i: pieces[i] for i in ids if i in pieces}) == (3, 0)
    assert any_two([3], lambda _: {3: ""}) == (3, 3)


def test_only_words_that_are_akin_are_said_to_be() -> None:
    assert "both animals" in of_two_words((" dog", " cow"))
    assert "both" not in of_two_words((" dog", " motel"))


def test_a_token_alone_or_twice_makes_no_identity_matrix() -> None:
    assert "identity matrix" in of_all_tokens([3, 4])
    assert "identity matrix" not in of_all_tokens([3, 4, 3])
    assert "one cell" in of_all_tokens([3])


def test_the_sign_of_a_cosine_is_said() -> None:
    assert of_the_nearest(("one", "two", Value(-0.251, "x[0]"))).endswith("at minus 0.25.")
    assert "only itself" in of_the_nearest(None)


def test_what_is_said_and_shown_of_two_words_is_one_cosine() -> None:
    alone = Likeness([3], None, (" dog", " cow"), Value(0.61, "x[0]"))
    assert alone.cosines == [("dog", "cow", alone.kinship)]
    assert alone.words()["kinship"] == "For dog and cow, 0 before, it is 0.61."
    nearest = "red", "blue", Value(0.5, "x[1]")
    assert Likeness([3, 4], nearest, (" dog", " cow"), alone.kinship).cosines[0] == nearest
