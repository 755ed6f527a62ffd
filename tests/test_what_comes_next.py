"""Promises of the film what-comes-next."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manim import VMobject
from oracles import PROMPT, SMALL_LLAMA, made, words, written
from played import film_of, numbers, stages
from transformers import LlamaConfig, LlamaForCausalLM

from model import checkpoint
from model.companions import counting, embedding_only, shelf
from model.trace import record, watch
from scenes.film import Request
from scenes.mobjects.text import called_aloud
from scenes.presence import presence
from scenes.study import SHIPPED
from scenes.task.what_comes_next import LEAST, WhatComesNext
from scenes.verbs import Together, Verb


def test_what_is_listed_after_each_prefix_adds_up_to_one() -> None:
    shown = numbers(WhatComesNext, Request(), beat="a-chance-for-each")
    assert shown["= sum over key of probs[0,:]"] == pytest.approx(1, abs=1e-5)
    chances = [number for source, number in shown.items() if "probs[0," in source]
    assert sum(chances) == pytest.approx(2, abs=1e-4)  # the parts, and the whole


def test_the_simpler_models_say_what_counting_and_two_tables_give() -> None:
    gpt = checkpoint.load(SHIPPED)
    trace = record(gpt.model, gpt.tokenizer, WhatComesNext.prompt)
    shown = numbers(WhatComesNext, Request(), beat="with-less")
    expected = {
        "last_one": embedding_only.probs(shelf.load("embedding-only").tensors, trace.ids)[-1],
        "last_two": counting.probs(shelf.load("counting").tensors, trace.ids)[-1],
    }
    for name, probs in expected.items():
        best = int(np.argmax(probs))
        at = len(trace.ids) - 1
        assert shown[f"{name}.probs[{at},{best}]"] == pytest.approx(probs[best], rel=1e-5)


def test_what_is_likeliest_in_a_gap_inside_is_so_for_the_whole_text() -> None:
    film = film_of(WhatComesNext, Request())
    named = [film.words()[name] for name in ("leader", "winner")]
    assert named == ["“Japan”", "“Italy”"]
    gpt = checkpoint.load(SHIPPED)
    wholes = []
    for token in film.contenders:
        ids = [*film.trace.ids[: film.place], token, *film.trace.ids[film.place + 1 :], film.answer]
        probs = watch(gpt.model, ids)["probs"].astype(float)
        wholes.append(probs[np.arange(len(ids) - 1), ids[1:]][film.place - 1 :].prod())
    texts = film.texts.number
    ends = [chance.number / texts for chance in film.so_far[-1]]
    assert ends == pytest.approx(wholes, rel=1e-4)
    assert film.winner == int(np.argmax(wholes))
    shown = numbers(WhatComesNext, Request(), beat="what-fits-all")
    products = [value / texts for source, value in shown.items() if " * " in source]
    assert max(wholes) in [pytest.approx(each, rel=1e-4) for each in products]


def test_what_is_answered_at_the_end_is_what_the_model_says_of_each_text() -> None:
    film = film_of(WhatComesNext, Request())
    assert [film.words()[name] for name in ("rival", "other")] == ["“Japan”", "“sushi”"]
    gpt = checkpoint.load(SHIPPED)
    for row in film.rivals:
        ids = [*film.trace.ids[: film.place], film.contenders[row]]
        probs = watch(gpt.model, [*ids, *film.trace.ids[film.place + 1 :]])["probs"]
        assert film.answers[row] == int(probs[-1].argmax())
        assert film.contenders[row] != film.trace.ids[film.place]


def test_a_stop_is_called_by_its_name() -> None:
    assert [*map(called_aloud, (".", "\x19", " pizza"))] == [
        "a full stop",
        "a sign that is no letter",
        "“pizza”",
    ]


def test_only_what_has_a_bar_is_listed_and_the_answer_first() -> None:
    film = film_of(WhatComesNext, Request())
    for tokens, probs in zip(film.first, [film.probs[-1], film.probs[0]], strict=True):
        assert (probs.array[tokens] >= LEAST).all()
    for tokens, probs in zip(film.again, film.reread, strict=True):
        assert (probs.array[tokens] >= LEAST).all()
    assert film.answer in film.first[0]


def test_the_texts_own_words_and_those_that_lead_are_followed_and_the_answer_last() -> None:
    film = film_of(WhatComesNext, Request())
    *others, last = film.leaders
    assert last == film.answer
    assert len({*others}) == len(others) > 1
    tops = {words[0] for words in film.whole_words}
    assert {*others} <= (tops | {*film.whole}) - {last}
    assert {*film.trace.ids[2:]} <= {*others}
    for at in range(len(film.trace.ids)):
        whole = sum(chance.number for chance in film.chances_after(at))
        assert whole == pytest.approx(1.0, rel=1e-4)


def test_a_name_stands_beside_its_own_share_at_every_instant() -> None:
    stages(Watched)
    assert Watched.looks > 4 * WhatComesNext.seconds / 2
    assert Watched.wrong == set()


class Watched(WhatComesNext):
    """The film, looked at four times a second while it moves."""

    looks, wrong = 0, set[tuple[str, str]]()
    beats = WhatComesNext.beats

    def play(self, *animations: Any, **_: Any) -> None:
        verbs = Together(each for each in animations if isinstance(each, Verb))
        verbs.begin()
        for share in np.linspace(0, 1, int(4 * verbs.run_time) + 1):
            verbs.interpolate(float(share))
            self.look()

    def look(self) -> None:
        """Note every bar that is seen beside a name and not beside its own one."""
        Watched.looks += 1
        for listed in (self.ranking, self.moving, self.less, self.inner):
            for bar, own in zip(listed.shapes, listed.names, strict=True):
                names = [name for name in listed.names if is_beside(name, bar)]
                if names and own not in names:
                    Watched.wrong |= {(name.text, own.text) for name in names}
        opened = self.opened
        for bar in (opened.rest, *self.ranking.shapes):
            high, low, left = bar.get_top()[1], bar.get_bottom()[1], self.ranking.zero
            x, y, _ = opened.words.points.T
            is_taken = bool(((y > low) & (y < high) & (x < left)).any())
            if is_taken and is_seen(bar) and is_seen(opened.words):
                Watched.wrong.add(("what is opened", "a bar of the list"))


def is_seen(part: VMobject) -> bool:
    """Whether there is something of a part to be seen."""
    return presence(part) > 0.05 and part.width > 0.01


def is_beside(name: VMobject, bar: VMobject) -> bool:
    """Whether a name and a bar are seen in one line, the bar at the name's end."""
    if not is_seen(name) or not is_seen(bar):
        return False
    near = abs(bar.get_left()[0] - name.get_right()[0]) < name.height
    return near and bool(bar.get_bottom()[1] < name.get_y() < bar.get_top()[1])


def test_a_model_may_have_more_rows_than_its_vocabulary_has_pieces(tmp_path: Path) -> None:
    size = words().largest_id + 8
    model = made(LlamaForCausalLM, LlamaConfig(**SMALL_LLAMA, vocab_size=size))
    folder = written(model, tmp_path)
    film = film_of(WhatComesNext, Request(prompt=PROMPT, checkpoint=folder))
    assert film.piece(size - 1) == f"#{size - 1}"
    assert film.piece(film.trace.ids[0]) == film.tokens[0]
