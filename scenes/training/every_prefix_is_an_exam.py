"""Every prefix is an exam: the next word marks the bets, and their loss is one number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, reduce
from itertools import pairwise
from math import prod
from operator import add

import numpy as np
from manim import VGroup
from manim.constants import DOWN
from manim.typing import Point3D

from scenes import theme
from scenes.analysis.cross_entropy import loss
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure, percentage
from scenes.mobjects.fit import averaging_decimals, text_size
from scenes.mobjects.guesses import Crowd, Gauge, Guesses, Meter, Strip
from scenes.mobjects.lanes import BETS, BETS_TURNED, Lanes, Level, Rules, reading
from scenes.mobjects.marks import Ring
from scenes.mobjects.plot import Axes, Curve, Halvings, Rider
from scenes.mobjects.slopes import Slopes
from scenes.mobjects.text import Formula, TokenText, Words, called
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Array, constant, count, entry_count, mean
from scenes.region import Region, stage_area
from scenes.theme import (
    ACCENT,
    HAIR,
    INK,
    NAMED_SIZE,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    MoveTo,
    Pulse,
    Recolor,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
    Visit,
)


class EveryPrefixIsAnExam(Film):
    """One pass over a text gives a prediction at every place, each marked by the next word."""

    title = "Every prefix is an exam"
    prompt = "a fluffy blue bird roamed the verdant forest"
    seconds = 90
    poster_beat = "what-training-does"
    needs = (TWO_TOKENS,)

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
        self.stepped = [losses.values for losses in self.tensor("untrained.stepped")]
        self._find_bets(trained.array[:-1])
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
            "size": f"{self.tensor('probs').shape[1]:,}",
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
        "| The text itself: | keep what follows {word} covered, and ask."
    )
    def nobody_tells_it(self) -> Shown:
        at, line, mark = self.asked + 1, self.line, self.mark
        asks = Draw(self.ring, run_time=QUICK), Appear(mark)
        yield Then(Flow(map(Appear, (*line[:at], line[at].plate)), QUICK), *asks)
        yield Then(Pulse(mark, scale=LARGER), Pulse(mark, scale=LARGER))
        yield Disappear(mark), Flow((Appear(*chip, scale=1.0) for chip in line[at:]), STEADY)
        cover = Flow(Disappear(chip.label) for chip in line[: at - 1 : -1])
        parts = [[*of[:at], *(chip.plate for chip in of[at:])] for of in (line, self.chips)]
        follow = Visit(self.ring, [box := parts[1][at].copy()], STEADY)
        down = Together(*map(TurnInto, *parts), follow, MoveTo(mark, box, scale=self.smaller))
        yield Then(cover, Appear(mark), Hold(QUICK), down, self.large.open(), self.rest.open())

    @beat(
        "It bets on every token it knows: | on {bet} the most. "
        "| Uncover: the text says {answer}. | That marks the exam.",
        right="It bets on every token it knows: | on {bet} the most. "
        "| Uncover: the text says so, too. | That marks the exam.",
    )
    def the_bet(self) -> Shown:
        chart, chip, rest = self.large, self.chips[self.asked + 1], self.rest
        top, lit = chart.gauges[0], chart.lit
        told = Flow(Appear(gauge.number) for gauge in chart.bets)
        yield chart.grow(), rest.fill(0, rest.value.number), Then(Hold(QUICK), told)
        yield Pulse(top.number, top.word, run_time=STEADY)
        marked = Recolor(lit.word, lit.bar, lit.number, chip.label, role=ACCENT), Pulse(lit.word)
        fewer = TurnInto(*self.unnamed), rest.fill(rest.value.number, self.fewer)
        named = chart.uncover(), *(() if lit in chart.bets else fewer)
        yield Disappear(self.mark), Appear(chip.label), *named, Then(Hold(QUICK), Together(marked))
        yield Pulse(lit.number, chip, run_time=STEADY)

    @beat(
        "And every beginning, every prefix, is an exam. | One reading answers all {exams}, "
        "| and each next word marks one.",
        one_exam="And every beginning, every prefix, is an exam. | One reading answers them all, "
        "| and each next word marks one.",
    )
    def every_prefix(self) -> Shown:
        chips, strips = self.chips, self.strips
        plain = Recolor(*(chip.label for chip in chips), role=INK)
        uncover = Flow((Appear(chip.label) for chip in chips[self.asked + 2 :]), QUICK)
        left = Disappear(self.large, self.rest, *self.unnamed, run_time=QUICK / 2)
        moved = Visit(self.ring, self.blanks[:1], QUICK), Disappear(self.ring, run_time=HAIR)
        rows = Flow(reading(chips, *pair) for pair in zip(self.prefixes, self.blanks, strict=True))
        yield plain, uncover, left, Then(*moved), Then(Hold(QUICK / 2), rows)
        answered = Flow(map(TurnInto, self.blanks, strips), QUICK), Appear(*self.who)
        yield Then(Flow(map(Disappear, self.prefixes), QUICK), Together(answered))
        yield Then(self._mark(pos, 2 * SLOW / len(strips)) for pos in range(len(strips)))

    @beat(
        "What does a bet cost? | Look at p, the right word's chance. "
        "| Halve it again and again: each time, the cost is one step more. "
        "| So where chances multiply, costs add up: | minus the log of p, the loss."
    )
    def what_a_bet_costs(self) -> Shown:
        rider, share = self.riders[self.asked], self.shares[self.asked].number
        bets = (part for each in self.strips for part in (each.slivers, each.rest))
        settle = Flow((strip.settle() for strip in self.strips), STEADY)
        frames = Appear(*(meter.track for meter in self.meters))
        yield Disappear(*bets, *self.who), frames, settle
        words = Recolor(*(chip.label for chip in self.chips), role=INK)
        told = Appear(self.share_name), Flow(map(Appear, self.percents), STEADY)
        rights = Flow(Pulse(strip.right, scale=SWELL) for strip in self.strips)
        yield words, Then(Together(*told), Together(Pulse(self.share_name), rights))
        axes = Draw(*self.axes.lines), Appear(*self.axes.ticks, *self.axes.names)
        stops, halvings = [0.5**halving for halving in range(HALVINGS + 1)], self.halvings
        legs = zip(pairwise(stops), halvings.lines, halvings.told, strict=True)
        slide = (Together(Vary(rider.ride_to, *x), Draw(y), Appear(*z)) for x, y, z in legs)
        dot = Then(Appear(rider.dot, rider.stem, run_time=HAIR), Pulse(rider.dot, scale=1.6))
        exams = [each[-1] for each in self._exams()]
        del exams[self.asked : self.asked + self.lanes.turned]  # where it stands beside the plot
        left = Disappear(self.chips[0], self.share_name, *exams)
        yield Then(self._come_down(), Together(left, *axes, dot), *slide)
        pairs = [*zip(*(told for told in halvings.told if told), strict=True)] or [(rider.dot,)]
        yield Then(Flow((Pulse(each, scale=1.4) for each in pair), STEADY) for pair in pairs)
        added = Disappear(*(part for told in halvings.told for part in told[1:]))
        there = Together(Vary(rider.ride_to, stops[-1], share), added)
        yield Appear(self.formula), Then(Draw(self.curve), there)

    @beat(
        "Each exam has a point here, | and its height becomes a bar. "
        "| {hardest} costs the most, | {easiest} the least.",
        one_exam="The exam has a point here, | and its height becomes a bar. "
        "| {hardest} costs | this much.",
    )
    def every_loss(self) -> Shown:
        come = (
            Together(ComeFrom(self.riders[pos].dot, foot), Appear(self.riders[pos].stem, parts))
            for pos, foot, parts in self._exams()
            if pos != self.asked
        )
        back = Appear(self.chips[0], self.share_name, self._exams()[self.asked][-1])
        yield Disappear(self.halvings), back, Flow(come, SLOW)
        dots, stems = ([getattr(each, of) for each in self.riders] for of in ("dot", "stem"))
        slide = Together(Disappear(*dots), map(TurnInto, stems, self.bars.shapes))
        left = [part for part in self.axes if part not in self.kept]
        told = Then(Hold(STEADY), Together(Draw(self.bars.zero), Appear(*self.bars.numbers)))
        yield Disappear(*left, self.curve, self.formula), slide, told
        for which in (self.hardest, self.easiest):
            yield self._point_at(which)

    @beat(
        "Level them out: | one number for all, the mean.",
        one_exam="In a longer text, they are levelled out: | one number for all.",
    )
    def one_number(self) -> Shown:
        bars, level = self.bars, self.level
        means = Remeasure(bars, [self.mean] * len(self.losses))
        yield Undim(*bars.shapes), Disappear(*bars.numbers), Then(Hold(), means, Draw(level.line))
        told = Then(Appear(level.word, level.number), Pulse(level.number))
        yield Then(Remeasure(bars, self.losses), Appear(*bars.numbers)), told

    @beat(
        "Before training, it | bets on all {size} tokens nearly alike: "
        "| every next word costs about {before}."
    )
    def before_training(self) -> Shown:
        level, rules = self.level, self.rules
        scale = Together(level.resize(self.losses, self.ever), Vary(rules.follow, 0, 1))
        yield Then(Appear(rules, run_time=QUICK / 2, scale=1.0), scale)
        yield Then(Flow(map(Appear, self.crowds)), self._come_to(before=True))
        yield Then(Flow(map(Pulse, self.chips[1:], self.bars.numbers), SLOW), Pulse(level.number))

    @beat(
        "How does it get better? | Move one of its numbers, a weight: | this way, the loss rises, "
        "| that way, it falls. | One pass backwards finds all weights' slopes. "
        "| Each takes a step down, the steeper the longer, | and the loss falls."
    )
    def every_weight_goes_down(self) -> Shown:
        slopes, level = self.slopes, self.level
        shown = *self.bars, *self.kept, self.share_name, *self.meters, *self.crowds
        yield Pulse(level.number), Disappear(*shown, *self.rules, level.word)
        yield slopes.look(level.line, level.number)
        yield Vary(slopes.nudge, 0.0, self.uphill)
        yield Vary(slopes.nudge, self.uphill, -self.uphill)
        yield Then(Vary(slopes.nudge, -self.uphill, 0.0, QUICK), slopes.spread())
        yield slopes.step(0, STEADY)
        yield Then(Count(slopes.number, mean(self.stepped[-1])), Pulse(slopes.number))

    @beat(
        "That's training: such steps, on many texts. | Now every next word here costs less. "
        "| That's what it learns from: | the text asks, | and the text answers.",
        no_gain="That's training: such steps, on many texts. | Here, the loss hasn't come down. "
        "| But that's what it learns from: | the text asks, | and the text answers.",
        not_every="That's training: such steps, on many texts. | Most next words here cost less. "
        "| That's what it learns from: | the text asks, | and the text answers.",
    )
    def what_training_does(self) -> Shown:
        level, bars = self.level, (*self.bars.shapes, self.bars.zero)
        named = *self.kept, *self.stays, self.share_name, *self.gauges, level.line
        come = Draw(*self.ghosts), Appear(*bars, *named, scale=1.0)
        sunk = level.sink(self.before, self.stepped[-1], HAIR)
        yield self.slopes.leave(), Then(Hold(QUICK), sunk, Together(come))
        yield Then(self._come_to(before=False), Appear(self.after))
        asked, answers = self.chips[1:], [chip.label for chip in self.chips[1:]]
        marks = *self.bars, *self.meters, *self.ghosts, level.line, level.number, self.after
        yield Pulse(level.number, self.after, run_time=STEADY)
        cover = Flow(Disappear(label) for label in answers), Dim(*marks)
        yield *cover, Flow((Pulse(chip.plate, scale=SWELL) for chip in asked), STEADY)
        lit = Flow(Together(Appear(label), Recolor(label, role=ACCENT)) for label in answers)
        yield lit, Then(Hold(STEADY), Undim(*marks)), Hold(LAST)

    def cast(self) -> None:
        """Make a chip and a chart for every place, a large chart, the curve, and the losses."""
        lanes = self.lanes = Lanes.of(self.tokens, self.stage)
        self.chips = lanes.chips(self.tokens)
        self._make_line()
        self._make_large()
        self.prefixes, self.blanks = map(list, zip(*lanes.prefixes(self.chips), strict=True))
        self._make_strips()
        self._make_losses()
        self._make_plot()
        self.stand(*self.line, *self.chips, *self.prefixes, *self.blanks)
        self.stand(*self.strips, *self.who, *self.crowds, *self.meters, self.slopes)
        self.stand(self.rest, self.unnamed[1], self.large, self.axes, self.curve, *self.riders)
        self.stand(self.halvings, self.formula, self.share_name, self.rules, self.bars)
        self.stand(*self.ghosts, self.old_level, self.level, self.after, self.ring, self.mark)

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Let a model of the same shape predict the same text before it is trained, and nudged."""
        untrained = {"probs": self.untrained("probs")}
        untrained |= vars(self.way_down(NUDGES, steps=STEPS, length=STEP, most=WEIGHTS))
        return {f"untrained.{name}": array for name, array in untrained.items()}

    def _find_bets(self, chances: Array) -> None:
        """Find the likeliest tokens at each place, and the next word, and what they are called."""
        most = BETS_TURNED if stage_area().is_narrow else BETS
        likely = np.argsort(-chances, kind="stable")[:, : 2 * most]
        pieces = self.vocabulary([*likely.flat])
        self.bets = [[i for i in ranked.tolist() if i in pieces][:most] for ranked in likely]
        for bets, answer in zip(self.bets, self.trace.ids[1:], strict=True):
            bets[-1:] = bets[-1:] if answer in bets else [answer]
        self.pieces = {**pieces, **dict(zip(self.trace.ids, self.tokens, strict=True))}
        self.rights = [*map(list.index, self.bets, self.trace.ids[1:])]
        ranked = zip(self.rights, chances.max(axis=1).tolist(), strict=True)
        last = len(self.bets[0]) - 1  # where also what was not bet on stands
        chosen = [(0 < at < last, at > 0, most) for at, most in ranked]
        self.asked = chosen.index(max(chosen))

    def _make_line(self) -> None:
        """Set the text large, with a ring and a question mark where the first answer stands."""
        lines = -(-len(self.tokens) // (IN_LINE // 2 if self.stage.is_narrow else IN_LINE))
        row = TokenRow(self.tokens, self.stage, largest=LARGER * TITLE_SIZE, lines=lines)
        self.line, self.smaller = row.chips, self.lanes.size / row.size
        self.ring = Ring(self.line[self.asked + 1])
        self.mark = Words("?", size=row.size).move_to(self.ring)

    def _make_strips(self) -> None:
        """Make a strip and a meter for every exam, over the word that marks it."""
        lanes, right = self.lanes, [*enumerate(self.trace.ids[1:], 1)]
        probs, start = (self.tensor(name).array for name in ("probs", "untrained.probs"))
        made, both = partial(Strip, upright=not lanes.turned), [*zip(probs, start, strict=True)]
        self.strips = [made(probs[pos - 1], answer, lanes.strip(pos)) for pos, answer in right]
        changes = [*zip(self.shares_before, self.shares, strict=True)]
        self.meters = [
            Meter(each, lanes.meter(pos), lanes.strip(pos)) for pos, each in enumerate(changes, 1)
        ]
        self.crowds = [Crowd(both[pos - 1], answer, lanes.meter(pos)) for pos, answer in right]
        told = [*zip(self.meters, self.strips, strict=True)] if lanes.has_percentages else []
        self.who = lanes.ends(Words("likeliest", role=POSITIVE), Words("all others", role=QUIET))
        self.percents = [meter.number for meter, _ in told]
        self.gauges = [part for meter in self.meters for part in (meter.track, meter.bar)]
        self.under = [percent.copy() for percent in self.percents]
        fits = lanes.turned or all(one.width < lanes.strip(1).width - HAIR for one in self.percents)
        for meter, strip in told:
            meter.tell_beyond(strip, fits=fits)

    def _make_losses(self) -> None:
        """Make a bar for every loss, the outlines of those before training, and both means."""
        lanes, losses = self.lanes, [each.number for each in self.losses]
        self.most = AIR * max(*losses, _cost(0.5**HALVINGS))
        most_ever = max(self.most, *(AIR * each.number for each in self.before))
        self.ever = 0.0, most_ever
        region = lanes.room(1, len(losses), lanes.base, lanes.depth - HEADROOM)
        decimals, span = averaging_decimals(self.losses, self.mean), self.ever
        made = partial(Bars, across=lanes.turned, span=span, role=NEGATIVE, decimals=decimals)
        self.bars = bars = made(self.losses, region, at_foot=True)
        self.ghosts = bars.outlines(self.before)
        self.level = Level("mean", self.mean, lanes, bars, decimals)
        self.old_level = Level("before", self.mean_before, lanes, bars, decimals, role=QUIET)
        self.after = Words("after", size=PLAIN_SIZE).move_to(self.level.word)
        self.stays = [*self.old_level] * self.old_level.is_clear_of(self.level)
        bars.span = 0.0, self.most
        bars.put(self.losses)
        self.level.follow(1.0)
        self.rules = Rules(lanes, bars, most_ever)

    def _make_plot(self) -> None:
        """Make the curve of what a bet costs, on axes at the scale of the bars."""
        lanes, bars, most = self.lanes, self.bars, self.most
        box = lanes.plot(bars.place_of(0.0), bars.place_of(most))
        names = Words("p", size=SPOKEN_SIZE), Words("loss", size=NAMED_SIZE)
        ticks = constant(0.0, "a place on the axis"), constant(1.0, "a place on the axis")
        self.axes = axes = Axes(box, (1.0, most), names, ticks)
        self.stage.hold(names[1])
        up = np.linspace(0.0, most, 200)
        self.curve = Curve(axes, np.exp(-up), up)
        self.riders = [Rider(axes, _cost, stem=NEGATIVE) for _ in self.shares]
        self.kept = [axes.names[1], axes.lines[1]] if lanes.has_axis else []
        self.halvings = Halvings(axes, loss, HALVINGS, told=not lanes.turned)
        self.share_name = Words("p", size=SPOKEN_SIZE).move_to(lanes.at(0, lanes.middle))
        for rider, share in zip(self.riders, self.shares, strict=True):
            rider.ride_to(share.number)
        self.riders[self.asked].ride_to(1.0)
        self.slopes = self._make_slopes(box)
        self.formula = formula = Formula('$"loss" = -ln p$', theme.HEADING_SIZE)
        has_room_below = lanes.turned and box.height < UPRIGHT * self.stage.height
        free = lanes.beyond.width if has_room_below else 0.6 * box.width
        formula.scale(min(1.0, free / formula.width)).move_to(axes.at(0.62, 0.72 * most))
        if has_room_below:
            formula.next_to(axes, DOWN, buff=2 * theme.GAP)
            lanes.beyond.hold(formula)

    def _make_slopes(self, box: Region) -> Slopes:
        """Make the slope of one weight, measured, and among others, that of each and its steps."""
        names = (f"untrained.{name}" for name in ("nudged", "slopes", "gone"))
        nudged, slopes, gone = map(self.tensor, names)
        edge = self.lanes.beyond.left + self.axes.names[1].width / 2
        more = self.lanes.turned * max(0.0, UPRIGHT * self.stage.height - box.height) / 2
        room = Region(edge, box.right, box.bottom - more, box.top + more - HAIR)
        told = entry_count(slopes), count(sum(map(prod, self.weight_factors().values())), "weights")
        of = Words("{:.0f} of {:,.0f} weights", *told, size=SPOKEN_SIZE)
        self.uphill = SHOWN * float(np.sign(slopes.array[0]))
        others, named = (slopes.double, gone.double), ("one weight, moved by", "loss")
        return Slopes(NUDGES, nudged.values, others, room, named, shown=SHOWN, of=of)

    def _make_large(self) -> None:
        """Make the chart of the exam that is looked at first, and what all other tokens get."""
        probs, lanes = self.tensor("probs")[self.asked], self.lanes
        bets = [(self.pieces[each], probs[each].value) for each in self.bets[self.asked]]
        shares, right = [share for _, share in bets], self.rights[self.asked]
        is_far = (probs.array > shares[right].number).sum() >= len(bets)
        first = right if is_far else len(bets)  # the right one comes when uncovered
        shown = (count(each, "bets shown") for each in (first, len(bets)))
        rest = (entry_count(probs) - each for each in shown)
        others, fewer = (Words("all {:,.0f} others", each, size=SPOKEN_SIZE) for each in rest)
        self.unnamed = others, fewer
        left = count(1, "all chances together") - reduce(add, shares[:first])
        size = text_size([piece for piece, _ in bets], 0.2 * self.stage.width, TITLE_SIZE)
        names = [others, *(TokenText(piece, size) for piece, _ in bets)]
        tracks = lanes.gauges(names, [percentage(share, TITLE_SIZE) for share in shares])
        under, sizes = tracks.pop(first), (size, TITLE_SIZE)
        self.large = Guesses(bets, right, tracks, sizes, stacked=lanes.turned, first=first)
        self.large.empty()
        self.rest = Gauge(others, left, under, TITLE_SIZE, stacked=lanes.turned)
        self.rest.bar.set_fill(theme.color(QUIET))
        fewer.move_to(others)
        self.fewer = left.number - shares[right].number

    def _come_down(self) -> Verb:
        """Return how the columns become meters under all charts; percentages, unseen, follow."""
        rights = Disappear(*(strip.right for strip in self.strips), run_time=HAIR)
        bars = Fade(*(meter.bar for meter in self.meters), to=1.0, run_time=HAIR)
        places = zip(self.percents, self.under, strict=True)
        moves = Together(MoveTo(*each, run_time=HAIR) for each in places)
        down = Together(Vary(meter.lie, 0, 1) for meter in self.meters)
        away, back = Disappear(*self.percents, run_time=HAIR), Appear(*self.percents)
        return Then(Together(rights, bars, away), down, moves, back)

    def _come_to(self, *, before: bool) -> Verb:
        """Return how all bets and losses, and their mean, come to be those before training."""
        level, mean = self.level, self.mean_before if before else self.mean
        losses = self.before if before else self.losses
        start, end = level.mean, mean.number
        told = (Vary(meter.learn, before, 1 - before, SLOW) for meter in self.meters)
        crowds = (Vary(crowd.even, 1 - before, before, SLOW) for crowd in self.crowds)
        bars = Remeasure(self.bars, losses, run_time=SLOW)
        numerals = *self.bars.numbers, *self.percents, level.number
        move = Together(told, crowds, bars, Vary(level.stand_at, start, end, SLOW))
        gone = Disappear(*numerals, run_time=QUICK / 2)
        return Then(gone, Count(level.number, mean, HAIR), move, Appear(*numerals))

    def _exams(self) -> list[tuple[int, Point3D, VGroup]]:
        """Return each exam's place, p on the axis, and what shows p and the word below the plot."""
        shown = (
            VGroup(self.chips[pos], meter.track, meter.bar, *self.percents[pos - 1 : pos])
            for pos, meter in enumerate(self.meters, 1)
        )
        feet = (self.axes.at(share.number, 0.0) for share in self.shares)
        return [*zip(range(len(self.shares)), feet, shown, strict=True)]

    def _mark(self, pos: int, run_time: float) -> Verb:
        """Return how the next word lights its own share of a strip."""
        strip, chip = self.strips[pos], self.chips[pos + 1]
        light = Recolor(strip.right, chip.label, role=ACCENT, run_time=run_time)
        dim = Dim(strip.slivers, strip.rest, run_time=run_time)
        return Together(light, dim, Pulse(chip, run_time=run_time))

    def small_print(self) -> Words:
        """Return the line that says how many tokens each bet is spread over."""
        known = entry_count(self.tensor("probs")[0])
        return Words("it knows {:,.0f} tokens", known, size=PLAIN_SIZE, role=QUIET)

    def _point_at(self, which: int) -> Verb:
        """Let one loss be looked at, and the word that it belongs to."""
        pairs = list(zip(self.bars.shapes, self.bars.numbers, strict=True))
        others = [part for pos, pair in enumerate(pairs) if pos != which for part in pair]
        own = Pulse(self.bars.numbers[which], self.chips[which + 1], run_time=SLOW)
        return Together(Dim(*others), Undim(*pairs[which]), own)


HEADROOM = 0.5  # scene units above the highest bar, for an axis' name
AIR = 1.15  # times the largest loss, up to the axis' end
HALVINGS = 3
NUDGES = tuple(step / 100 for step in range(-14, 15, 2))  # of a weight, each of them measured
SHOWN = 0.1  # how far it is moved
STEPS, STEP, WEIGHTS = 1, 0.05, 10  # down, its length, of all together; slopes that are shown
LARGER, IN_LINE = 1.8, 4  # times as large as a title, the text at first; words in a line of it
UPRIGHT = 0.55  # of an upright stage's height, all slopes
SWELL = 1.05  # times as large, a word among others
LAST = 4.0  # seconds, at most, for the whole picture to rest at the end


def _cost(share: float) -> float:
    return float(-np.log(share))
