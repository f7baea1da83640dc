"""A million scores: estimates digit for digit, intervals within chance."""

from tests.examples.programs import assert_alike, printed

PRINTED = """\
One model, 1,000,000 rows
AUC                0.8973   95 % CI 0.8953 to 0.8995 (bca)   SE 0.0011
average precision  0.2926   95 % CI 0.2856 to 0.2993 (bca)   SE 0.0035
recall at 1 % FPR  0.2972   95 % CI 0.2901 to 0.3037 (percentile)   SE 0.0034
F1 at 2.5          0.3118   95 % CI 0.3047 to 0.3182 (bca)   SE 0.0035
1,000,000 rows, 20,030 positive · 2,000 multinomial resamples, seed 0 · 0 undefined · Monte-Carlo error of limits up to 0.0003, 0.0002

Two models on the same draws
model       metric             difference             95 % CI       p  ahead in
challenger  roc_auc               -0.0241  -0.0270 to -0.0212  0.0055       0 %  worse
challenger  average_precision     +0.1309    0.1229 to 0.1374  0.0045     100 %  better
1,000,000 rows, 20,030 positive · 500 multinomial resamples, seed 0

"""  # noqa: E501


def test_a_million_scores():
    text, seconds = printed("million_scores.py").rstrip("\n").rsplit("\n", 1)
    assert_alike(text, PRINTED, rtol=0.01, atol=0.003)
    assert "compilation included" in seconds
