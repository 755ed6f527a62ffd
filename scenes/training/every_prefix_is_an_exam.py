"""Every prefix is an exam: the next word marks the bets, and their loss is one number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import chain, pairwise
from operator import add
from typing import Any

import numpy as np
from manim import Line, VGroup
from manim.constants import DOWN, LEFT

from scenes import theme
from scenes.analysis.cross_entropy import loss
from scenes.camera import WHOLE
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure, percentage
from scenes.mobjects.fit import averaging_decimals, text_size
from scenes.mobjects.guesses import Gauge, Guesses
from scenes.mobjects.lanes import BETS, BETS_TURNED, METER, Lanes, Level
from scenes.mobjects.marks import Ring
from scenes.mobjects.plot import Axes, Curve, Rider
from scenes.mobjects.text import Formula, TokenText, Words, called
from scenes.provenance import Array, Value, constant, count, entry_count, mean
from scenes.region import Region, stage_area
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    NAMED_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    Become,
    Dim,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Recolor,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
)

HEADROOM = 0.4  # scene units above the highest bar's numeral
HALVINGS = 4
NEAREST = 2.5  # times as large, at the opening
SWELL = 1.05  # times as large, a word among others
NEAR = 1.2  # times the largest loss: room for losses that are near zero


class EveryPrefixIsAnExam(Film):
    """One pass over a text gives a prediction at every place, each marked by the next word."""

    title = "Every prefix is an exam"
    prompt = "a fluffy blue bird roamed the verdant forest"
    seconds = 72
    poster_beat = "training-pushes-it-down"
    needs = (TWO_TOKENS,)

    def derived(self) -> Mapping[str, Array]:
        """Let a model of the same shape predict the same text before it is trained."""
        return {"untrained.probs": self.untrained_probs()}

    def observe(self) -> None:
        """Find what is bet at every place, what each bet costs, and the exam to look at first."""
        trained, start = self.tensor("probs"), self.tensor("untrained.probs")
        right = list(enumerate(self.trace.ids[1:]))
        self.shares, self.shares_before = (
            [probs[pos, answer].value for pos, answer in right] for probs in (trained, start)
        )
        if not all(share.number for share in self.shares):
            self.refuse(
                "The model gives one of these tokens no chance at all, to the last digit that a "
                "computer has, and its loss has no end: use another prompt."
            )
        self.losses, self.before = list(map(loss, self.shares)), list(map(loss, self.shares_before))
        self.mean, self.mean_before = mean(self.losses), mean(self.before)
        most = BETS_TURNED if stage_area().is_narrow else BETS
        likely = np.argsort(-trained.array[:-1], kind="stable")[:, : 2 * most]
        pieces = self.vocabulary([*likely.flat])
        self.bets = [[i for i in ranked.tolist() if i in pieces][:most] for ranked in likely]
        for bets, (_, answer) in zip(self.bets, right, strict=True):
            bets[-1:] = bets[-1:] if answer in bets else [answer]
        self.rights = [self.bets[pos].index(answer) for pos, answer in right]
        self.pieces = {**pieces, **dict(zip(self.trace.ids, self.tokens, strict=True))}
        sure = [float(trained.array[pos, bets[0]]) for pos, bets in enumerate(self.bets)]
        self.asked = max(range(len(sure)), key=lambda pos: (self.rights[pos] > 0, sure[pos]))
        self.hardest, self.easiest = (
            int(pick([each.number for each in self.losses])) for pick in (np.argmax, np.argmin)
        )

    def words(self) -> Mapping[str, str]:
        """Name the exam that is looked at, the hardest and the easiest, and what all cost."""
        return {
            "word": self.name_of(self.asked),
            "bet": called(self.pieces[self.bets[self.asked][0]]),
            "answer": self.name_of(self.asked + 1),
            "exams": str(len(self.losses)),
            "hardest": self.name_of(self.hardest + 1),
            "easiest": self.name_of(self.easiest + 1),
            "before": f"{self.mean_before.number:.1f}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether there is one exam, whether the first bet is right, and what training did."""
        gains = [old.number - new.number for new, old in zip(self.losses, self.before, strict=True)]
        return {
            **super().circumstances(),
            "one_exam": len(self.losses) == 1,
            "right": self.rights[self.asked] == 0,
            "no_gain": self.mean.number >= self.mean_before.number,
            "not_every": min(gains) <= 0,
        }

    @beat(
        "Nobody tells a language model what's right. | So what does it learn from? "
        "| The text itself: | cover what follows {word}, and ask."
    )
    def nobody_tells_it(self) -> Shown:
        known, (hidden, *later) = self.chips[: self.asked + 1], self.chips[self.asked + 1 :]
        asked = Then(Hold(), Together(Appear(hidden.plate), Draw(self.ring)))
        yield Flow((Appear(chip) for chip in known), QUICK), asked
        yield Pulse(hidden.plate, self.ring, run_time=STEADY, scale=SWELL)
        text = Flow((Appear(hidden.label), *map(Appear, later)), STEADY)
        yield self.pull_back(STEADY), text
        cover = Flow(Disappear(chip.label) for chip in reversed([hidden, *later]))
        chart = self.charts[self.asked]
        yield cover, Then(Become(chart, self.large, run_time=HAIR), chart.open())

    @beat(
        "It bets on every token it knows: | {bet} gets the most. "
        "| Uncover: the text says {answer}. | The next word marks the exam.",
        right="It bets on every token it knows: | {bet} gets the most. "
        "| Uncover: the text says so, too. | The next word marks the exam.",
    )
    def the_bet(self) -> Shown:
        chart, chip, rest = self.charts[self.asked], self.chips[self.asked + 1], self.rest
        yield Then(rest.open(), Together(chart.grow(), rest.fill(0, rest.value.number)))
        top = chart.gauges[0]
        told = Then(Appear(top.number, rest.number), Pulse(top.number))
        yield told, Pulse(top.word, run_time=STEADY)
        yield Appear(chip.label), Then(Hold(QUICK), chart.mark(chip))
        yield Appear(chart.lit.number), Pulse(chip, run_time=STEADY), Pulse(chart.answer)

    @beat(
        "And every prefix is an exam: | one pass answers all {exams} at once, "
        "| and each next word marks one.",
        one_exam="And every prefix is an exam: | in a longer text, one pass answers all at once, "
        "| and each next word marks one.",
    )
    def every_prefix(self) -> Shown:
        own, others = self.charts[self.asked], self._others(self.charts)
        numbers = (gauge.number for gauge in own.gauges)
        hidden = Disappear(*numbers, self.rest, self.ring)
        later = Flow(Appear(chip.label) for chip in self.chips[self.asked + 2 :])
        yield Then(Together(hidden, later), Become(own, self.small))
        grow = Together(each.grow() for each in others)
        opened = Flow((each.open() for each in others), STEADY)
        yield Then(opened, grow), Flow(map(Pulse, self.chips), STEADY)
        chips = self._others(self.chips[1:])
        words, meters = zip(*(chart.rivals() for chart in self.charts), strict=True)
        marks = (each.mark(chip) for each, chip in zip(others, chips, strict=True))
        clear = Together(Disappear(*chain(*words)), Dim(*chain(*meters)))
        yield Then(clear, Flow((*marks, Pulse(own.answer)), SLOW))

    @beat(
        "What does a bet cost? | Look at p, the chance of the right word. "
        "| Sure and right costs nothing; | each time p is halved, the cost grows by the same step: "
        "| minus log p, the loss."
    )
    def what_a_bet_costs(self) -> Shown:
        rider, share = self.riders[self.asked], self.shares[self.asked].number
        down = (Shift(chart.lit_body, by=chart.way) for chart in self.charts)
        gone = Disappear(*chain(*(chart.rivals()[1] for chart in self.charts)))
        yield Then(gone, Flow(down), Appear(*self.percents))
        names, lines = self.axes.names, self.axes.lines
        axes = Flow([Draw(*lines), Appear(*self.axes.ticks, *names)])
        yield Together(axes, Flow(map(Pulse, self.percents))), Then(Hold(STEADY), Pulse(names[0]))
        yield Draw(self.curve), Appear(rider.dot), Pulse(rider.dot, scale=2.0, run_time=STEADY)
        stops = [0.5**halving for halving in range(HALVINGS + 1)]
        slide = (
            Then(Vary(rider.ride_to, one, other), Draw(step, run_time=QUICK))
            for (one, other), step in zip(pairwise(stops), self.steps, strict=True)
        )
        yield Appear(rider.stem, run_time=HAIR), Dim(*self.chips), Then(slide)
        yield Appear(self.formula), Vary(rider.ride_to, stops[-1], share, run_time=SLOW)

    @beat(
        "Each exam becomes a point; | its height is its loss. "
        "| {hardest} costs the most, | {easiest} the least.",
        one_exam="The exam becomes a point; | its height is its loss. "
        "| {hardest} costs | this much.",
    )
    def every_loss(self) -> Shown:
        own, trio = self.charts[self.asked], (self.riders, self.charts, self.shares)
        points: list[Verb] = [
            Together(Appear(rider), Vary(rider.ride_to, 1.0, share.number), chart.name_it())
            for rider, chart, share in zip(*trio, strict=True)
        ]
        points[self.asked] = own.name_it()
        yield Disappear(*self.steps), Flow(points, SLOW)
        pairs = zip(self.riders, self.bars.shapes, strict=True)
        slide = Together(
            Together(TurnInto(rider.stem, shape), Disappear(rider.dot)) for rider, shape in pairs
        )
        gone = Disappear(self.axes, self.curve, self.formula), Undim(*self.chips)
        told = Then(Hold(STEADY), Together(Draw(self.bars.zero), Appear(*self.bars.numbers)))
        yield *gone, slide, told
        for which in (self.hardest, self.easiest):
            yield self._point_at(which)

    @beat(
        "Level them out: | one number for the whole text.",
        one_exam="In a longer text, they are levelled out: | one number for all.",
    )
    def one_number(self) -> Shown:
        bars, level = self.bars, self.level
        means = Remeasure(bars, [self.mean] * len(self.losses))
        yield Undim(*bars.shapes, *bars.numbers), Then(means, Draw(level.lines))
        told = Then(Appear(level.word, level.number), Pulse(level.number))
        yield Remeasure(bars, self.losses), told

    @beat(
        "Before training, a model like this | bets on all tokens alike: "
        "| every word costs about {before}."
    )
    def before_training(self) -> Shown:
        shrink = [chart.come_to(old, one) for chart, old, one in self._changes()]
        near, grown = self.near, self.most - self.near
        smaller = Remeasure(self.bars, self.losses, span=lambda at: (0.0, near + at * grown))
        yield smaller, Vary(self.level.go, 0, 0), Flow(map(Pulse, self.chips), STEADY)
        yield Flow(shrink), Flow(map(TurnInto, self.percents, self.percents_before))
        up = Remeasure(self.bars, self.before, run_time=SLOW)
        yield Then(Together(up, Vary(self.level.go, 0, 1, run_time=SLOW)), Draw(*self.ghosts))

    @beat(
        "Training pushes one number down: | every next word gets a larger share. "
        "| So that's what it learns from: | the text asks, and the text answers.",
        no_gain="Training pushes this number down, | though this model hasn't got far. "
        "| But that's what it learns from: | the text asks, and the text answers.",
        not_every="Training pushes one number down: | most next words get a larger share. "
        "| So that's what it learns from: | the text asks, and the text answers.",
    )
    def training_pushes_it_down(self) -> Shown:
        down = Remeasure(self.bars, self.losses, run_time=SLOW)
        grow = (chart.come_to(one, old) for chart, old, one in self._changes())
        told = Then(Hold(), Together(map(TurnInto, self.percents_before, self.percents)))
        fall = Together(down, Vary(self.level.go, 1, 0, run_time=SLOW), *grow, told)
        left = Then(Hold(STEADY), Appear(self.old_level))
        yield fall, left if self.is_far else self._look()
        yield self._look()
        yield Flow((Pulse(chip, scale=SWELL) for chip in self.chips), STEADY)
        answers = (
            Together(Recolor(chip.label, role=ACCENT), Pulse(chip), Pulse(chart.answer))
            for chip, chart in zip(self.chips[1:], self.charts, strict=True)
        )
        yield Flow(answers, SLOW)

    # What only this film shows

    def cast(self) -> None:
        """Make a chip and a chart for every place, a large chart, the curve, and the losses."""
        lanes = self.lanes = Lanes.of(self.tokens, self.stage)
        self.chips = lanes.chips(self.tokens)
        self.ring = Ring(self.chips[self.asked + 1])
        self.charts = [self._chart(pos) for pos in range(len(self.losses))]
        self.small = self._chart(self.asked)
        self.small.lit.bar.set_fill(theme.color(ACCENT))
        self._make_large()
        self.percents = [chart.lit.number for chart in self.charts if lanes.has_percentages]
        self.percents_before = [
            percentage(share).shrink_to(chart.lit.track.width).set_role(ACCENT)
            for chart, share in zip(self.charts, self.shares_before, strict=True)
            if self.percents
        ]
        for before, chart in zip(self.percents_before, self.charts, strict=False):
            before.next_to(chart.lit.track, DOWN, buff=HAIR, aligned_edge=LEFT).shift(chart.way)
        self._make_losses()
        self._make_plot(self.near)
        near = WHOLE.into(VGroup(*self.chips[: self.asked + 2]), self.under_title, 0.95)
        self.view = replace(near, zoom=min(near.zoom, NEAREST))
        self.stand(*self.chips, self.rest, *self.charts, *self.percents_before)
        self.stand(self.axes, self.curve, *self.steps, *self.riders, self.formula)
        self.stand(self.bars, *self.ghosts, self.old_level, self.level, self.ring)

    def _make_losses(self) -> None:
        """Make a bar for every loss, the outlines of those before training, and both means."""
        lanes, losses = self.lanes, [each.number for each in self.losses]
        self.most = max(*losses, *(each.number for each in self.before))
        region = lanes.room(0, len(losses) - 1, lanes.base, lanes.depth - HEADROOM)
        decimals, span = averaging_decimals(self.losses, self.mean), (0.0, self.most)
        bars = Bars(self.losses, region, across=lanes.turned, span=span, decimals=decimals)
        self.bars, self.ghosts = bars, bars.outlines(self.before)
        means = self.mean, self.mean_before
        self.level = Level("mean", means, lanes, bars, decimals)
        self.old_level = Level("before", means[::-1], lanes, bars, decimals)
        self.is_far = self.old_level.is_clear_of(self.level)
        self.near = min(self.most, NEAR * max(losses))  # until the losses before training come
        bars.span = 0.0, self.near
        bars.put(self.losses)
        self.level.go(0.0)

    def _make_plot(self, most: float) -> None:
        """Make the curve of what a bet costs, on axes at the scale of the bars."""
        lanes, stage, bars = self.lanes, self.stage, self.bars
        foot, top = bars.place_of(0.0), bars.place_of(most)
        end = stage.bottom + 2 * GAP, stage.right - 2 * GAP
        box = Region(foot, top, end[0], stage.top - GAP)
        if not lanes.turned:
            box = Region(stage.left + GAP, end[1], foot, top)
        names = Words("p", size=SPOKEN_SIZE), Words("loss", size=NAMED_SIZE)
        ticks = [constant(place, "a place on the axis") for place in (0.0, 0.5, 1.0)]
        self.axes = axes = Axes(box, (1.0, most), names, ticks, turned=lanes.turned)
        stage.hold(names[1])
        up = np.linspace(0.0, most, 200)
        self.curve = Curve(axes, np.exp(-up), up)
        self.riders = [Rider(axes, _cost) for _ in self.shares]
        halves = [0.5**halving for halving in range(1, HALVINGS + 1)]
        ends = [(axes.at(0.0, _cost(share)), axes.at(share, _cost(share))) for share in halves]
        self.steps = [Line(*each).set_stroke(theme.color(QUIET), theme.THIN_LINE) for each in ends]
        self.formula = Formula('$"loss" = -log p$', theme.HEADING_SIZE)
        self.formula.scale(min(1.0, 0.7 * box.width / self.formula.width))
        self.formula.move_to(axes.at(0.55, 0.6 * most))

    def _pairs(self, pos: int) -> list[tuple[str, Value]]:
        probs = self.tensor("probs")
        return [(self.pieces[each], probs[pos, each].value) for each in self.bets[pos]]

    def _chart(self, pos: int) -> Guesses:
        """Return the chart above a token."""
        bets, lanes = self._pairs(pos), self.lanes
        tracks = [lanes.track(pos, rank, len(bets)) for rank in range(len(bets))]
        shown = [self.pieces[each] for bets in self.bets for each in bets]
        sizes = text_size(shown, tracks[0].width), NAMED_SIZE
        chart = Guesses(bets, self.rights[pos], tracks, sizes, stacked=True)
        chart.way = lanes.alone(pos) - chart.lit.track.get_center()
        return chart

    def _make_large(self) -> None:
        """Make the chart of the exam that is looked at first, and what all other tokens get."""
        pairs = zip(self.charts[self.asked].gauges, self._pairs(self.asked), strict=True)
        bets, lanes = [(gauge.word.text, share) for gauge, (_, share) in pairs], self.lanes
        shares = [share for _, share in bets]
        whole = entry_count(self.tensor("probs")[self.asked])
        others = Words("{:,.0f} others", whole - count(len(bets), "bets shown"), size=SPOKEN_SIZE)
        left = count(1, "all chances together") - reduce(add, shares)
        size = text_size([piece for piece, _ in bets], 0.2 * self.stage.width, TITLE_SIZE)
        names = [others, *(TokenText(piece, size) for piece, _ in bets)]
        inset = 0.0 if lanes.turned else max(name.width for name in names) + GAP
        written = (percentage(share, TITLE_SIZE).width for share in (left, *shares))
        outset, tracks = max(written) + GAP, list[Region]()
        for row in lanes.beyond.rows(len(names)):
            end, middle = row.right - (0 if lanes.turned else outset), float(row.center[1])
            tracks.append(Region(row.left + inset, end, middle - METER, middle + METER))
        right, sizes = self.rights[self.asked], (size, TITLE_SIZE)
        self.large = Guesses(bets, right, tracks[:-1], sizes, stacked=lanes.turned)
        for gauge in self.large.gauges:
            gauge.fill_to(0.0)
        self.rest = Gauge(others, left, tracks[-1], TITLE_SIZE, stacked=lanes.turned)

    def _others(self, things: Sequence[Any]) -> list[Any]:
        return [each for pos, each in enumerate(things) if pos != self.asked]

    def _changes(self) -> list[tuple[Guesses, float, float]]:
        """Return every chart with the chance of the right word, after training and before."""
        pairs = zip(self.charts, self.shares, self.shares_before, strict=True)
        return [(chart, after.number, before.number) for chart, after, before in pairs]

    def small_print(self) -> Words:
        """Return the line that says how many tokens each bet is spread over."""
        known = entry_count(self.tensor("probs")[0])
        return Words("it knows {:,.0f} tokens", known, size=theme.PLAIN_SIZE, role=QUIET)

    def _look(self) -> Verb:
        """Point at the bets on the right words, one after another."""
        return Flow(chart.name_it() for chart in self.charts)

    def _point_at(self, which: int) -> Verb:
        """Let one loss be looked at, and the word that it belongs to."""
        pairs = list(zip(self.bars.shapes, self.bars.numbers, strict=True))
        others = [part for pos, pair in enumerate(pairs) if pos != which for part in pair]
        own = Pulse(self.bars.numbers[which], self.chips[which + 1], run_time=SLOW)
        return Together(Dim(*others), Undim(*pairs[which]), own)


def _cost(share: float) -> float:
    return float(-np.log(share))
