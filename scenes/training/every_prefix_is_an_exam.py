"""Every prefix is an exam: the next word marks the bets, and their loss is one number."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial, reduce
from itertools import pairwise
from math import prod
from operator import add

import numpy as np
from manim import VGroup
from manim.constants import DOWN, ORIGIN, RIGHT, UP
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.cross_entropy import loss
from scenes.figures.lanes import BETS, Covered, Lanes, Level, Prefix, Share, cover, turn
from scenes.figures.slopes import Slopes
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Bars, Remeasure, percentage
from scenes.mobjects.fit import averaging_decimals, text_size
from scenes.mobjects.guesses import Gauge, Guesses, Percentage
from scenes.mobjects.marks import Ring
from scenes.mobjects.plot import Axes, Curve, Halvings, Rider
from scenes.mobjects.text import Formula, TokenText, Words, called
from scenes.mobjects.tokens import Chip
from scenes.provenance import Array, constant, count, entry_count, mean
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    HAIR,
    HEADING_SIZE,
    INK,
    NEGATIVE,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Dim, Disappear, Draw, Flow, Hold, Pulse, Then, Together, Vary, Verb


class EveryPrefixIsAnExam(Film):
    """One pass over a text gives a prediction at every place, each marked by the next word."""

    title = "Every prefix is an exam"
    prompt = "a fluffy blue bird roamed the verdant forest"
    seconds = 95
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
        "| The text itself: | what follows {word} is written there, only covered."
    )
    def nobody_tells_it(self) -> Shown:
        at, line, mark = self.asked + 1, self.line, self.mark
        asks = Draw(self.ring, run_time=QUICK), Appear(mark)
        yield Then(Flow(map(Appear, (*line[:at], line[at].plate)), QUICK), *asks)
        yield Then(*(Pulse(mark, scale=2.0) for _ in range(2)))
        covered = [chip.plate for chip in line[at:]]
        yield Flow((Appear(plate, scale=1.0) for plate in covered[1:]), STEADY)
        yield Flow((Pulse(plate, scale=SWELL) for plate in covered), STEADY), Pulse(mark)

    @beat(
        "It bets on every token it knows: | on {bet} the most. "
        "| Uncover: the text says {answer}. | That marks the exam.",
        right="It bets on every token it knows: | on {bet} the most. "
        "| Uncover: the text says so, too. | That marks the exam.",
    )
    def the_bet(self) -> Shown:
        chart, word, rest = self.large, self.line[self.asked + 1], self.rest
        top, lit = chart.gauges[0], chart.lit
        grow = chart.open(), rest.open(), chart.grow(), rest.fill(0, rest.value.number)
        yield Then(self.text.go_down(), Together(*grow))
        told = Flow(Appear(gauge.number) for gauge in chart.bets)  # all others' may not add up
        yield told, Then(Pulse(top.word), Pulse(top.word, top.number))
        others = [each for each in (*chart.bets, rest, self.renamed) if each is not lit]
        less = rest.fill(rest.value.number, self.fewer.number)
        found = verbs.Recolor(lit.word, lit.bar, lit.number, word.label, role=ACCENT)
        renamed = verbs.TurnInto(rest.word, self.renamed), less
        named = chart.uncover(), *(() if lit in chart.bets else renamed)
        yield Disappear(self.mark), Appear(word.label), *named, Then(Hold(QUICK), found)
        yield Dim(*others), Then(Pulse(lit.word, lit.number, word), Pulse(lit.number))

    @beat(
        "And every beginning, every prefix, is an exam: | the next word marks it: how likely was "
        "it? | One reading of the text answers all {exams}.",
        one_exam="And every beginning, every prefix, is an exam: | the next word marks it: how "
        "likely was it? | In a longer text, one reading answers them all.",
    )
    def every_prefix(self) -> Shown:
        chips, line, asked = self.chips, self.line, self.asked
        cover = Disappear(*(chip.label for chip in line[1 : asked + 2]), run_time=QUICK / 2)
        gone = Disappear(self.large, self.rest, self.renamed, self.ring)
        come = turn(line, chips, 1), Flow(Appear(strip.frame, scale=1.0) for strip in self.strips)
        yield Then(Together(cover, gone), *come, Appear(self.prefix))
        yield Then(Appear(self.next), self._mark(0, STEADY))
        later = [self._grow(pos) for pos in range(1, len(self.strips))]
        left = Then(Disappear(self.next, run_time=QUICK / 2), *later)
        yield left if later else Pulse(self.percents[0])

    @beat(
        "What does a bet cost? | Take p, the right word's chance. "
        "| From 1, halve it again and again: each time its cost, the loss, is one step more."
    )
    def what_a_bet_costs(self) -> Shown:
        rider, strip = self.riders[self.asked], self.strips[self.easiest]
        rights = Flow(Pulse(strip.bar, scale=SWELL) for strip in self.strips)
        lit = verbs.Recolor(*(chip.label for chip in self.chips), role=INK, run_time=QUICK / 2)
        yield lit, Disappear(self.prefix), rights
        own = self.chips[self.easiest + 1], self.percents[self.easiest]
        others = [part for part in (*self.chips, *self.percents, *self.strips) if part not in own]
        others.remove(strip)
        yield Dim(*others), Then(Appear(self.p), Pulse(self.p, own[1]), Pulse(*own[1:]))
        axes = Draw(*self.axes.lines), Appear(*self.axes.ticks, *self.axes.names)
        stops, halvings = [0.5**halving for halving in range(HALVINGS + 1)], self.halvings
        legs = zip(pairwise(stops), halvings.lines, halvings.told, strict=True)
        slide = (Together(Vary(rider.ride_to, *x), Draw(y), Appear(*z)) for x, y, z in legs)
        dot = Then(Appear(rider.dot, rider.stem, run_time=HAIR), Pulse(rider.dot, scale=LIFTED))
        yield Then(Together(self._clear(), Then(Hold(QUICK / 2), Together(*axes))), dot, *slide)

    @beat("A sure word costs nothing, an unlikely one much: | the loss is minus the log of p.")
    def the_loss(self) -> Shown:
        rider, share = self.riders[self.asked], self.shares[self.asked].number
        least = 0.5**HALVINGS
        yield Then(Vary(rider.ride_to, *way) for way in ((least, 1.0), (1.0, least)))
        added = [told[-1] for told in self.halvings.told]
        there = Together(Disappear(*added), Vary(rider.ride_to, least, share))
        told = Appear(*self.named), Pulse(rider.dot, scale=LIFTED)
        yield Appear(self.formula), Then(Together(Draw(self.curve), there), Together(told))

    @beat(
        "Each exam has a point here, | and its height becomes a bar. "
        "| {hardest} costs the most, | {easiest} the least.",
        one_exam="The exam has a point here, | and its height becomes a bar. "
        "| {hardest} costs | this much.",
    )
    def every_loss(self) -> Shown:
        others = (pos for pos in range(len(self.riders)) if pos != self.asked)
        asked = self.chips[self.asked + 1], self.percents[self.asked]
        back = Disappear(*self.named), Appear(self.chips[0], self.share_name, *asked)
        yield Disappear(self.halvings), *back, Then(map(self._point, others))
        bars, left = self.bars, [part for part in self.axes if part not in self.kept]
        whole, many = np.array([each.number for each in self.losses]), len(self.losses)
        grow = partial(Remeasure, bars, self.losses, run_time=SLOW, rate_func=linear)
        grown = grow(path=lambda share: whole * (many * share - np.arange(many)).clip(0, 1))
        rise = Appear(*bars.shapes, run_time=HAIR, scale=1.0), grown
        away = Then(Disappear(rider.stem, run_time=SLOW / many) for rider in self.riders)
        left += [self.curve, self.formula, *(rider.dot for rider in self.riders)]
        yield Then(Disappear(*left), Together(*rise, away), Appear(bars.zero, *bars.numbers))
        for which in (self.hardest, self.easiest):
            yield self._point_at(which)

    @beat(
        "Level them out: | one number for all, the mean.",
        one_exam="In a longer text, they are levelled out: | one number for all.",
    )
    def one_number(self) -> Shown:
        bars, level = self.bars, self.level
        means = Remeasure(bars, [self.mean] * len(self.losses))
        levelled = Then(Hold(), means, Draw(level.line))
        yield verbs.Undim(*bars.shapes), Disappear(*bars.numbers), levelled
        told = Then(Appear(level.word, level.number), Pulse(level.number))
        yield Then(Remeasure(bars, self.losses), Appear(*bars.numbers)), told

    @beat(
        "Before training, the same text, on a scale for both: "
        "| it bets on all {size} tokens nearly alike, | and every next word costs about {before}."
    )
    def before_training(self) -> Shown:
        level, percents, bars, mean = self.level, self.percents, self.bars, self.mean_before

        def span(share: float) -> tuple[float, float]:
            return 0.0, (1 - share) * self.most + share * self.ever[1]

        smaller = Remeasure(bars, self.losses, span=span), Vary(level.follow, 0, 1)
        same = Flow((Pulse(chip, scale=SWELL) for chip in self.chips), STEADY)
        yield Then(Together(same, *smaller), Pulse(*bars.numbers))
        told = map(verbs.Count, percents, self.shares_before, [HAIR] * len(percents))
        gone = Then(Disappear(*bars.numbers, *level, *percents), Together(told))
        risen = Then(Hold(), Remeasure(bars, self.before, run_time=SLOW))
        come = Appear(self.begun), Flow(map(Appear, percents))
        yield Then(gone, Together(*come, risen))
        there = Vary(level.stand_at, self.mean.number, mean.number, HAIR)
        shown = Then(verbs.Count(level.number, mean, HAIR), there, Flow(map(Appear, bars.numbers)))
        named = Draw(level.line), Appear(level.number, self.old_level.word)
        left = [Disappear(self.begun)] * self.lanes.turned  # no room
        yield Then(shown, *left, Together(*named), Pulse(level.number))

    @beat(
        "How does it get better? | Move one of its numbers, a weight: | this way, the loss rises, "
        "| that way, it falls. | So each weight takes a small step, down its own slope."
    )
    def every_weight_goes_down(self) -> Shown:
        slopes, level = self.slopes, self.level
        shown = *self.bars, *self.kept, *self.foot, self.old_level.word, self.begun
        yield Pulse(level.number), Disappear(*shown)
        yield slopes.look(level.line, level.number)
        yield Vary(slopes.nudge, 0.0, self.uphill)
        yield Vary(slopes.nudge, self.uphill, -self.uphill)
        back = Vary(slopes.nudge, -self.uphill, 0.0)
        step = Vary(slopes.nudge, 0.0, -STEP * self.uphill)
        yield Then(Together(back, Appear(slopes.all)), step)

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
        named = *self.kept, *self.stays, level.line
        come = Draw(*self.ghosts), Appear(*bars, *named, scale=1.0)
        yield Disappear(self.slopes), Appear(*self.chips), Then(Hold(QUICK), Together(come))
        yield Then(self._come_to_trained(SLOW), Appear(self.after))
        asked = self.chips[1:]
        chart = *self.bars, *self.ghosts, *level, *self.stays, self.after, *self.kept
        yield Dim(*chart), Flow(Disappear(chip.label) for chip in asked)
        yield Flow((Pulse(chip.plate, scale=SWELL) for chip in asked), STEADY)
        lit = (
            Together(Appear(chip.label), verbs.Recolor(chip.label, role=ACCENT)) for chip in asked
        )
        yield Then(Flow(lit, SLOW), verbs.Undim(*chart)), Hold(LAST)

    def cast(self) -> None:
        """Make a chip and a chart for every place, a large chart, the curve, and the losses."""
        lanes = self.lanes = Lanes.of(self.tokens, self.stage)
        self.chips = lanes.chips(self.tokens)
        self.text = text = Covered(self.tokens, self.asked + 1, self.stage)
        self.line, self.ring, self.mark = text.line, text.ring, text.mark
        cover(*self.chips[1:])
        self.prefix, self.next = Prefix(lanes, self.chips[:-1]), Ring(self.chips[1])
        self._make_charts()
        self._make_strips()
        self._make_losses()
        self._make_plot()
        self.stand(*self.chips, self.prefix, self.next, *self.strips, *self.percents, self.slopes)
        self.stand(self.rest, self.renamed, self.large, self.axes, self.curve, *self.riders)
        self.stand(self.halvings, self.formula, self.named, self.share_name, self.bars)
        self.stand(self.p, *self.ghosts, self.old_level, self.level, self.after, self.text)
        self.stand(self.begun, self.outlined)

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Let a model of the same shape predict the same text before it is trained, and nudged."""
        nudged = self.nudged_losses(NUDGES)
        return {"untrained.probs": self.untrained("probs"), "untrained.nudged": nudged}

    def _find_bets(self, chances: Array) -> None:
        """Find the likeliest tokens at each place, and the next word, and what they are called."""
        likely = np.argsort(-chances, kind="stable")[:, : 2 * BETS]
        pieces = self.vocabulary([*likely.flat])
        self.bets = [[i for i in ranked.tolist() if i in pieces][:BETS] for ranked in likely]
        for bets, answer in zip(self.bets, self.trace.ids[1:], strict=True):
            bets[-1:] = bets[-1:] if answer in bets else [answer]
        self.pieces = {**pieces, **dict(zip(self.trace.ids, self.tokens, strict=True))}
        self.rights = [*map(list.index, self.bets, self.trace.ids[1:])]
        ranked = zip(self.rights, chances.max(axis=1).tolist(), strict=True)
        last = len(self.bets[0]) - 1  # where also what was not bet on stands
        chosen = [(0 < at < last, at > 0, most) for at, most in ranked]
        self.asked = chosen.index(max(chosen))

    def _make_strips(self) -> None:
        """Make a strip for every exam, over the word that marks it, and the right word's share."""
        lanes = self.lanes
        made = partial(Share, upright=not lanes.turned)
        right = enumerate((share.number for share in self.shares), 1)
        self.strips = [made(share, lanes.strip(pos)) for pos, share in right]
        self.percents = [Percentage(share, role=ACCENT, anchor=ORIGIN) for share in self.shares]
        for told, *shares in zip(self.percents, self.shares_before, self.shares, strict=True):
            for share in shares:
                lanes.tell_at_foot(told.put(share))
        fits = lanes.turned or all(one.width < lanes.strip(1).width - HAIR for one in self.percents)
        for told, strip in zip(self.percents, self.strips, strict=True):
            strip.tell(told, fits=fits)
        self.p = self.strips[self.easiest].call(Words("p", size=SPOKEN_SIZE))

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
        self.begun, self.outlined = (Words(each, size=HEADING_SIZE) for each in BEGUN)
        for words in (self.begun, self.outlined):
            words.move_to((self.stage.right, self.stage.top, 0), RIGHT + UP)
        is_clear = self.old_level.is_clear_of(self.level)
        self.stays = [*self.old_level] if is_clear else [self.outlined] * (not lanes.turned)
        bars.span = 0.0, self.most
        bars.put(self.losses)
        self.level.stand_at(self.mean.number)

    def _make_plot(self) -> None:
        """Make the curve of what a bet costs, on axes at the scale of the bars."""
        lanes, bars, most = self.lanes, self.bars, self.most
        low, top = bars.place_of(0.0), bars.place_of(most)
        box = lanes.plot(low, top)
        names = Words("p", size=SPOKEN_SIZE), Words("loss", size=theme.NAMED_SIZE)
        ticks = constant(0.0, "a place on the axis"), constant(1.0, "a place on the axis")
        self.axes = axes = Axes(box, (1.0, most), names, ticks)
        self.stage.hold(names[1])
        up = np.linspace(0.0, most, 200)
        self.curve = Curve(axes, np.exp(-up), up)
        self.riders = [Rider(axes, _cost, stem=NEGATIVE) for _ in self.shares]
        self.kept = [axes.names[1]] * lanes.has_axis
        self.halvings = Halvings(axes, loss, HALVINGS, told=not lanes.turned)
        self.share_name = Words("p", size=SPOKEN_SIZE).move_to(lanes.at(0, lanes.middle))
        self.foot = *self.chips, *self.percents, self.share_name
        for rider, share in zip(self.riders, self.shares, strict=True):
            rider.ride_to(share.number)
        chance = Percentage(self.shares[self.asked], role=ACCENT)
        widest = self.stage.right - box.left - chance.width - 3 * HAIR
        named = Chip(self.tokens[self.asked + 1], SPOKEN_SIZE, widest)
        chance.next_to(named, buff=HAIR)
        self.named = VGroup(named, chance).next_to(self.riders[self.asked].dot, RIGHT + UP, HAIR)
        lanes.beyond.hold(self.named)
        over = float(self.named.get_top()[1]) - box.top
        self.named.shift(max(0.0, over) * DOWN)  # under the axis' name
        self.riders[self.asked].ride_to(1.0)
        self.slopes = self._make_slopes(box)
        self.formula = formula = Formula('$"loss" = -ln p$', HEADING_SIZE)
        has_room_below = lanes.turned and box.height < UPRIGHT * self.stage.height
        free = lanes.beyond.width if has_room_below else 0.6 * box.width
        formula.scale(min(1.0, free / formula.width)).move_to(axes.at(0.62, 0.72 * most))
        if has_room_below:
            formula.next_to(axes, DOWN, buff=2 * theme.GAP)
            lanes.beyond.hold(formula)

    def _make_slopes(self, box: Region) -> Slopes:
        """Make the slope of one weight, measured, and say that each of all has one."""
        nudged = self.tensor("untrained.nudged")
        edge = self.stage.left + self.axes.names[1].width / 2
        spare = self.lanes.turned * max(0.0, UPRIGHT * self.stage.height - box.height) / 2
        low = box.bottom - spare if self.lanes.turned else self.stage.bottom + 2 * HEADROOM
        room = Region(edge, box.right, low, box.top + spare - HAIR)
        weights = count(sum(map(prod, self.weight_factors().values())), "weights")
        told = Words("{:,.0f} weights: a small step down for each", weights, size=TITLE_SIZE)
        self.uphill = SHOWN * float(np.sign(nudged.array[-1] - nudged.array[0]))
        return Slopes(
            NUDGES, nudged.values, room, ("how far one weight is moved", "loss"), told, shown=SHOWN
        )

    def _make_charts(self) -> None:
        """Make the chart of the exam that is looked at first."""
        probs, bets = self.tensor("probs")[self.asked], self.bets[self.asked]
        own = probs[bets[self.rights[self.asked]]].value
        is_far = (probs.array > own.number).sum() >= len(bets)
        first = self.rights[self.asked] if is_far else len(bets)  # the right one when uncovered
        self.large, self.rest = self._chart(first)
        self.large.empty()
        others = entry_count(probs) - count(len(bets), "bets shown")
        named = Words("all {:,.0f} others", others, size=SPOKEN_SIZE)
        self.fewer = self.rest.value - own
        self.renamed = named.move_to(self.rest.word)

    def _chart(self, first: int) -> tuple[Guesses, Gauge]:
        """Return the chart of an exam's bets, of which so many are told first, and all others'."""
        probs, right = self.tensor("probs")[self.asked], self.rights[self.asked]
        bets = [(self.pieces[each], probs[each].value) for each in self.bets[self.asked]]
        shares, known = [share for _, share in bets], entry_count(probs)
        rest = Words("all {:,.0f} others", known - count(first, "bets shown"), size=SPOKEN_SIZE)
        left = count(1, "all chances together") - reduce(add, shares[:first])
        size = text_size([piece for piece, _ in bets], 0.2 * self.stage.width, TITLE_SIZE)
        names = [rest, *(TokenText(piece, size) for piece, _ in bets)]
        tracks = self.text.tracks(names, [percentage(x, TITLE_SIZE) for x in (*shares, left)])
        under = Gauge(rest, left, tracks.pop(first), TITLE_SIZE)
        under.bar.set_fill(theme.color(QUIET))
        return Guesses(bets, right, tracks, (size, TITLE_SIZE), stacked=False, first=first), under

    def _clear(self) -> Verb:
        """Return how columns leave, and words, too, where a curve needs their room."""
        places = (self.lanes.at(pos, self.lanes.middle) for pos in range(1, len(self.chips)))
        home = map(verbs.MoveTo, self.percents, places)
        left = Disappear(self.p, *self.strips)
        if self.lanes.turned:
            return Together(left, Appear(self.share_name), Dim(*self.foot), home)
        return Then(Together(left, Disappear(*self.foot)), Together(home))

    def _come_to_trained(self, run_time: float) -> Verb:
        """Return how all losses, and their mean, come to be those after training."""
        level, mean = self.level, self.mean
        count = verbs.Count(level.number, mean, HAIR)
        fall = Vary(level.stand_at, level.mean, mean.number, run_time)
        move = Together(Remeasure(self.bars, self.losses, run_time=run_time), fall)
        named = level.number, *self.bars.numbers
        return Then(Disappear(*named, run_time=QUICK / 2), count, move, Appear(*named))

    def _grow(self, pos: int) -> Verb:
        """Return how a prefix is one word longer, and the next word marks it."""
        run_time = SWEEP / len(self.strips)
        longer = Vary(self.prefix.reach, pos, pos + 1, run_time)
        known = verbs.Recolor(self.chips[pos].label, role=INK, run_time=run_time)
        return Then(Together(longer, known), self._mark(pos, run_time))

    def _mark(self, pos: int, run_time: float) -> Verb:
        """Return how the next word is uncovered, and its chance rises."""
        label = self.chips[pos + 1].label
        lit = verbs.Recolor(label, role=ACCENT, run_time=run_time)
        told = Appear(self.percents[pos], run_time=run_time)
        return Together(
            Appear(label, run_time=run_time), lit, self.strips[pos].grow(run_time), told
        )

    def small_print(self) -> Words:
        """Return the line that says how many tokens each bet is spread over."""
        known = entry_count(self.tensor("probs")[0])
        return Words("it knows {:,.0f} tokens", known, size=PLAIN_SIZE, role=QUIET)

    def _point(self, pos: int) -> Verb:
        """Return how an exam's word is looked at, and its point comes up from its place on p."""
        run_time = min(STEADY, 2 * SLOW / len(self.riders))
        rider, pair = self.riders[pos], (self.chips[pos + 1], self.percents[pos])
        foot = self.axes.at(self.shares[pos].number, 0.0)
        seen = Appear(*pair, run_time=run_time / 2)
        come = verbs.ComeFrom(rider.dot, foot, run_time), Appear(rider.stem, run_time=run_time)
        return Together(seen, *come)

    def _point_at(self, which: int) -> Verb:
        """Let one loss be looked at, and the word that it belongs to."""
        pairs = list(zip(self.bars.shapes, self.bars.numbers, strict=True))
        others = [part for pos, pair in enumerate(pairs) if pos != which for part in pair]
        own = Pulse(self.bars.numbers[which], self.chips[which + 1], run_time=SLOW)
        return Together(Dim(*others), verbs.Undim(*pairs[which]), own)


HEADROOM, AIR = 0.5, 1.15  # scene units for an axis' name; times the largest loss, the axis
HALVINGS, SWEEP = 3, 2.0  # seconds, in which a prefix comes to all words
NUDGES = tuple(step / 100 for step in range(-14, 15, 2))  # of a weight, each of them measured
SHOWN, STEP = 0.1, 0.4  # how far it is moved; of that, a small step
UPRIGHT = 0.55  # of an upright stage's height, all slopes
SWELL, LIFTED = 1.05, 1.6  # times as large, a word among others, a point
BEGUN = "before training", "outlines: before"
LAST = 4.0  # seconds, at most, for the whole picture to rest at the end


def _cost(share: float) -> float:
    return float(-np.log(share))
