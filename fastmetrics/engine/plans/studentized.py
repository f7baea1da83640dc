"""The general plan with the standard error of every answer in every replicate beside it."""

from __future__ import annotations

import dataclasses

from fastmetrics.engine.jackknife.influence import ErrorReading
from fastmetrics.engine.plans.tile_plan import TilePlan
from fastmetrics.engine.readings.answers import Answer


def with_errors(plan: TilePlan) -> TilePlan:
    """Return the plan with the standard error of every answer after its answers."""
    readings, answers = list(plan.readings), list(plan.answers)
    for answer in plan.answers:
        readings.append(ErrorReading(answer, plan.readings[answer.reading], plan.items))
        answers.append(_error_answer(answer, len(readings) - 1))
    return dataclasses.replace(plan, readings=readings, answers=answers)


def _error_answer(answer: Answer, place: int) -> Answer:
    """Answer that hands out the standard error as it was read."""
    metric = dataclasses.replace(answer.metric, formula=lambda sums: sums[..., 0])
    return Answer(metric, place, lambda sums: sums)
