"""Scores of a cross validation: in each fold, as their mean, and pooled."""
