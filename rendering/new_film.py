"""A new film: its file, its test and its entry, from a skeleton that renders at once."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from model.errors import Unusable
from rendering.failures import PROJECT

ACTS = {
    "task": "Act I: the task",
    "vectors": "Act II: text becomes vectors",
    "attention": "Act III: attention",
    "block": "Act IV: the block and the model",
    "training": "Act V: training, history, use",
}
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

FILM = Template('''\
"""$title."""

from __future__ import annotations

from collections.abc import Mapping

from manim import VGroup
from manim.constants import DOWN

from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import number_format
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Number
from scenes.mobjects.tokens import TokenRow
from scenes.theme import GAP, QUERY
from scenes.verbs import Appear, ComeFrom, Disappear, Flow, Pulse


class $name(Film):
    """What a viewer understands at the end, in one sentence."""

    title = "$title"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 11
    poster_beat = "what-it-finds"

    def observe(self) -> None:
        """Find the token to follow, and how much it looks at each of the others."""
        self.asker = self.followed()
        self.weights = self.tensor("pattern")[self.layer, self.head][self.asker]

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt."""
        return {"asker": self.name_of(self.asker)}

    def cast(self) -> None:
        """Set everything that is ever seen on the stage, unseen."""
        self.sentence = TokenRow(self.tokens, self.stage)
        width = min(chip.width for chip in self.sentence)
        form = number_format(self.weights.values, (width, 1.0))
        self.numbers = VGroup(
            *(
                Number(weight, form.decimals, form.size, QUERY).next_to(chip, DOWN, buff=GAP)
                for weight, chip in zip(self.weights.values, self.sentence, strict=True)
            )
        )
        self.ring = Ring(self.sentence[self.asker])
        self.stand(self.sentence, self.numbers, self.ring)

    @beat("What does {asker} find | in this sentence?", alone="What does {asker} find | alone?")
    def what_is_asked(self) -> Shown:
        yield Flow(Appear(chip) for chip in self.sentence)
        yield Appear(self.ring)

    @beat("Every token before it has a share of its attention. | All of them add up to one.")
    def what_it_finds(self) -> Shown:
        yield Flow(
            ComeFrom(number, chip, fit=False)
            for number, chip in zip(self.numbers, self.sentence, strict=True)
        )
        yield Disappear(self.ring), Flow(Pulse(number) for number in self.numbers)
''')

TEST = Template('''\
"""Promises of the film $slug."""

import pytest
from played import numbers

from scenes.$act.$module import $name
from scenes.film import Request


def test_the_shares_are_those_of_the_model_and_add_up_to_one() -> None:
    shown = numbers($name, Request(), beat="what-it-finds")
    shares = [value for source, value in shown.items() if source.startswith("pattern[")]
    assert sum(shares) == pytest.approx(1, abs=1e-5)
''')


def new_film(slug: str, act: str, root: Path = PROJECT) -> list[Path]:
    """Write a film's skeleton and its test, enter it in `scenes/__init__.py`; return the files.

    `act` is one of `ACTS`. Raises `Unusable` for a name that is no slug or is taken.
    """
    module, name, title = slug.replace("-", "_"), _class_name(slug), _title(slug)
    if not SLUG.fullmatch(slug) or keyword.iskeyword(module):
        raise Unusable(
            f"'{slug}' is no name for a film: use small letters, digits and hyphens, such as "
            "what-comes-next."
        )
    film, test = root / f"scenes/{act}/{module}.py", root / f"tests/test_{module}.py"
    for path in (*root.glob(f"scenes/*/{module}.py"), test):
        if path.exists():
            raise Unusable(f"{path.relative_to(root)} is there already: choose another name.")
    said = {"slug": slug, "act": act, "module": module, "name": name, "title": title}
    package, index = film.parent / "__init__.py", root / "scenes/__init__.py"
    made = [film, test, index]
    if not package.exists():
        package.parent.mkdir(exist_ok=True)
        package.write_text(f'"""{ACTS[act]}."""\n', encoding="utf-8")
        made.append(package)
    film.write_text(FILM.substitute(said), encoding="utf-8")
    test.write_text(TEST.substitute(said), encoding="utf-8")
    _enter(index, f"scenes.{act}.{module}", name)
    return made


def _enter(index: Path, module: str, name: str) -> None:
    """Enter a film at the end of the films, and its import where it belongs."""
    text = index.read_text(encoding="utf-8")
    imports = [line for line in text.splitlines() if line.startswith("from scenes.")]
    block, line = "\n".join(imports), f"from {module} import {name}"
    text = text.replace(block, "\n".join(sorted([*imports, line])))
    end = text.rindex("\n)")
    index.write_text(f"{text[:end]}\n    {name},{text[end:]}", encoding="utf-8")


def _class_name(slug: str) -> str:
    return "".join(part.capitalize() for part in slug.split("-"))


def _title(slug: str) -> str:
    return slug.replace("-", " ").capitalize()
