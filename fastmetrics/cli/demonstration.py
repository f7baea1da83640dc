"""The problem of the command ``demo``: two models of real data, evaluated as one should."""

from __future__ import annotations

from typing import Any

COST_FALSE_ALARM, COST_MISS = 1.0, 20.0


def screening_problem() -> dict[str, Any]:
    """Return the arguments of `evaluate` for the test set of a screening task.

    Logistic regression and Gaussian naive Bayes are fitted on three quarters of the Wisconsin
    breast-cancer data; the threshold of each is the cheapest on its out-of-fold probabilities
    there, where a missed tumour costs as much as twenty false alarms.
    """
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from fastmetrics.decisions.costs import best_threshold

    X, target = load_breast_cancer(return_X_y=True)
    malignant = (target == 0).astype(int)
    splitter = StratifiedKFold(4, shuffle=True, random_state=0)
    development, test = next(splitter.split(X, malignant))
    models = {
        "logistic_regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "naive_bayes": GaussianNB(),
    }
    inner = StratifiedKFold(5, shuffle=True, random_state=1)
    scores, thresholds = {}, {}
    for name, model in models.items():
        rows = X[development], malignant[development]
        out_of_fold = cross_val_predict(model, *rows, cv=inner, method="predict_proba")[:, 1]
        best = best_threshold(rows[1], out_of_fold, cost_fp=COST_FALSE_ALARM, cost_fn=COST_MISS)
        thresholds[name] = best.threshold
        scores[name] = model.fit(*rows).predict_proba(X[test])[:, 1]
    return {
        "y_true": malignant[test],
        "y_score": scores,
        "threshold": thresholds,
        "cost_fp": COST_FALSE_ALARM,
        "cost_fn": COST_MISS,
    }
