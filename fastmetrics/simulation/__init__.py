"""Simulated data sets: models whose truth is known, studies of metrics, and planning.

Public names load when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fastmetrics.simulation.binormal import Binormal as Binormal
    from fastmetrics.simulation.classes import GaussianClasses as GaussianClasses
    from fastmetrics.simulation.clusters import ClusteredAnswers as ClusteredAnswers
    from fastmetrics.simulation.coverage import coverage_study as coverage_study
    from fastmetrics.simulation.coverage_results import CoverageStudy as CoverageStudy
    from fastmetrics.simulation.derived import CalibratedModel as CalibratedModel
    from fastmetrics.simulation.derived import RoundedModel as RoundedModel
    from fastmetrics.simulation.empirical import EmpiricalModel as EmpiricalModel
    from fastmetrics.simulation.folds import FoldStudy as FoldStudy
    from fastmetrics.simulation.folds import folds_study as folds_study
    from fastmetrics.simulation.interpolation import InterpolationStudy as InterpolationStudy
    from fastmetrics.simulation.interpolation import interpolation_study as interpolation_study
    from fastmetrics.simulation.planning import sample_size as sample_size
    from fastmetrics.simulation.planning_results import SampleSize as SampleSize
    from fastmetrics.simulation.prevalence import prevalence_study as prevalence_study
    from fastmetrics.simulation.prevalence_results import PrevalenceStudy as PrevalenceStudy
    from fastmetrics.simulation.ranking_results import RankingStudy as RankingStudy
    from fastmetrics.simulation.rankings import ranking_study as ranking_study
    from fastmetrics.simulation.rare_classes import RareClassStudy as RareClassStudy
    from fastmetrics.simulation.rare_classes import rare_class_study as rare_class_study
    from fastmetrics.simulation.resampling_units import ClusterStudy as ClusterStudy
    from fastmetrics.simulation.resampling_units import cluster_study as cluster_study
    from fastmetrics.simulation.results import SimulationResult as SimulationResult
    from fastmetrics.simulation.score_model import ScoreModel as ScoreModel
    from fastmetrics.simulation.shift_results import PrevalenceShift as PrevalenceShift
    from fastmetrics.simulation.shifting import prevalence_shift as prevalence_shift
    from fastmetrics.simulation.simulating import simulate as simulate

_HOMES = {
    "Binormal": "binormal",
    "CalibratedModel": "derived",
    "ClusterStudy": "resampling_units",
    "ClusteredAnswers": "clusters",
    "CoverageStudy": "coverage_results",
    "EmpiricalModel": "empirical",
    "FoldStudy": "folds",
    "GaussianClasses": "classes",
    "InterpolationStudy": "interpolation",
    "PrevalenceShift": "shift_results",
    "PrevalenceStudy": "prevalence_results",
    "RankingStudy": "ranking_results",
    "RareClassStudy": "rare_classes",
    "RoundedModel": "derived",
    "SampleSize": "planning_results",
    "ScoreModel": "score_model",
    "SimulationResult": "results",
    "cluster_study": "resampling_units",
    "coverage_study": "coverage",
    "folds_study": "folds",
    "interpolation_study": "interpolation",
    "prevalence_shift": "shifting",
    "prevalence_study": "prevalence",
    "ranking_study": "rankings",
    "rare_class_study": "rare_classes",
    "sample_size": "planning",
    "simulate": "simulating",
}


def __getattr__(name: str) -> Any:
    """Load a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fastmetrics.simulation' has no attribute {name!r}")
    value = getattr(import_module(f"fastmetrics.simulation.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)


__all__ = sorted(_HOMES)
