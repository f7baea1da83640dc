"""Pitfalls: each shows its two numbers."""

from tests.examples.programs import printed

PRINTED = """\
AUC of decisions instead of scores
    AUC of the scores                         0.7969
    AUC of the decisions                      0.6875
    balanced accuracy                         0.6875
Trapezoids under a precision-recall curve of scores
    average precision                         0.3942
    trapezoids                                0.3830
Trapezoids under a precision-recall curve of decisions
    average precision                         0.1952
    trapezoids                                0.4888
Ties broken by the order of the rows
    working unit first                        0.781250
    faulty unit first                         0.812500
    both at once                              0.796875
Accuracy with 1 % positives
    accuracy of the model                     0.8404
    recall of the model                       0.8762
    accuracy of flagging nothing              0.9900
Weighted averages
    weighted F1 lost with the rare class      0.0304
    macro F1 lost with the rare class         0.1819
    weighted recall                           0.8725
    micro F1                                  0.8725
    accuracy, the same again                  0.8725
Macro F1
    mean of the F1                            0.6557
    F1 of the means                           0.6574
Positive means faulty
    precision                                 0.5000
    recall                                    0.7500
    F1                                        0.6000
Positive means working
    precision                                 0.8333
    recall                                    0.6250
    F1                                        0.7143
Either way
    accuracy                                  0.6667
    MCC                                       0.3536
    kappa                                     0.3333
A confusion matrix read transposed
    TN FP FN TP                               5 3 1 3
    precision, down the column                0.5000
    along the row it is recall                0.7500
Threshold by default, or from scores that are no probabilities
    logistic regression at 0.5 costs          82
    logistic regression at 1/21 costs         34
    naive bayes at 0.5 costs                  143
    naive bayes at 1/21 costs                 144
Comparing models by separate intervals
    Brier score, logistic regression          0.0126 to 0.0577
    Brier score, naive bayes                  0.0337 to 0.1144
    difference on the same draws              -0.0743 to -0.0051
Platt scaling of a forest: its Brier score
    as it is                                  0.1307
    fitted to training rows                   0.1374
    fitted to held out rows                   0.1273
Few examples
    accuracy, 8 of 12 units                   0.3906 to 0.8619
    accuracy, 137 of 143 tumours              0.9115 to 0.9806
    recall, 49 of the 53 malignant ones       0.8214 to 0.9703
"""


def test_pitfalls():
    assert printed("pitfalls.py") == PRINTED
