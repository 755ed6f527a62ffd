"""Checking films: whoever waits for a report need not import manim."""

from __future__ import annotations

from dataclasses import replace

from checking.report import Report
from rendering.job import Job


def report_on(job: Job) -> Report:
    """Check the film that a job asks for, its cues timed by its voice; see `check.check_film`."""
    from checking.check import check_film  # noqa: PLC0415 - films are slow to import
    from rendering.sounding import timed  # noqa: PLC0415

    request = replace(job.request, timed=timed(job))
    return check_film(job.film, request, job.picture.aspect)
