"""Data sets of published worked examples of DeLong's method, as numbers.

Conventions
-----------
Rows are patients; a higher score speaks for the positive class.
"""

import numpy as np

# Albumin, total protein and K-G score (higher is worse) of the 43 complete cases of ovarian cancer
# with an intestinal obstruction in DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595, and
# whether the patient benefited from surgery
_OVARIAN = """
3.0 5.8 10 0   3.2 6.3 5 1   3.9 6.8 3 1   2.8 4.8 6 0   3.2 5.8 3 1   0.9 4.0 5 0
2.5 5.7  8 0   1.6 5.6 5 1   3.8 5.7 5 1   3.7 6.7 6 1   3.2 5.4 4 1   3.8 6.6 6 1
4.1 6.6  5 1   3.6 5.7 5 1   4.3 7.0 4 1   3.6 6.7 4 0   2.3 4.4 6 1   4.2 7.6 4 0
4.0 6.6  6 0   3.5 5.8 6 1   3.8 6.8 7 1   3.0 4.7 8 0   4.5 7.4 5 1   3.7 7.4 5 1
3.1 6.6  6 1   4.1 8.2 6 1   4.3 7.0 5 1   4.3 6.5 4 1   3.2 5.1 5 1   2.6 4.7 6 1
3.3 6.8  6 0   1.7 4.0 7 0   3.7 6.1 5 1   3.3 6.3 7 1   4.2 7.7 6 1   3.5 6.2 5 1
2.9 5.7  9 0   2.1 4.8 7 1   2.8 6.2 8 0   4.0 7.0 7 1   3.3 5.7 6 1   3.7 6.9 5 1
3.6 6.6  5 1
"""

# S100 beta (hundredths), NDKA (hundredths) and WFNS grade of 113 patients with an aneurysmal
# subarachnoid haemorrhage, and whether the outcome was poor: Turck et al. (2010),
# doi:10.1007/s00134-009-1641-y
_HAEMORRHAGE = """
13 301 1 0   14 854 1 0   10 809 1 0   4 1042 1 0   13 1740 3 1   10 1275 2 1   47 600 5 0
16 1320 4 1   18 1554 1 0   10 601 2 0   12 1596 5 1   10 1786 2 0   44 518 5 1   71 890 5 1
4 1341 1 0   8 2075 2 0   49 1160 5 1   4 1611 2 0   7 3237 2 1   33 5482 5 1   9 3241 2 1
9 4994 1 0   7 4034 1 1   11 947 1 0   7 629 1 0   17 1253 2 0   7 654 1 0   11 630 2 0
13 8030 1 0   19 1280 1 0   5 980 3 0   16 981 4 0   41 985 2 1   14 1821 1 0   34 503 4 0
35 1404 5 1   48 2193 4 1   9 802 1 0   96 742 4 1   25 838 2 1   50 659 5 0   46 963 5 0
16 1312 1 0   7 796 1 0   43 1434 2 0   45 4143 4 0   11 763 1 0   8 706 1 0   9 1259 2 0
86 1356 5 1   52 387 5 1   8 944 2 0   6 766 1 0   13 1298 2 0   207 41919 5 1   10 2719 1 0
14 2227 2 0   15 995 2 0   7 2122 2 1   6 1173 1 0   77 1040 5 1   5 5883 1 0   9 639 1 0
30 1109 2 1   3 1222 5 1   9 1367 2 1   4 1721 1 0   23 2263 4 1   70 1290 5 1   9 970 2 0
27 2157 4 1   71 823 4 1   8 7257 1 1   26 1554 4 1   8 1051 1 0   16 1060 2 0   9 1457 1 0
13 519 4 1   10 963 2 1   8 461 1 0   11 2148 2 1   33 1730 3 0   11 1271 2 0   28 944 4 0
7 1107 2 0   10 1946 1 0   32 1083 4 0   22 537 5 1   7 1197 1 0   5 775 1 0   24 983 5 0
38 1055 4 0   10 2849 2 0   15 853 2 0   8 1257 1 0   14 1290 1 0   10 4683 1 0   7 1168 3 0
4 1267 1 0   19 901 2 0   56 957 5 1   14 3406 2 1   58 1172 2 1   32 1426 5 1   82 4761 5 1
74 1167 5 1   15 2458 2 0   47 1033 4 0   17 1387 4 0   44 1589 5 1   15 2243 1 0   50 679 1 0
48 1345 1 0
"""


def ovarian():
    """Labels (43,) and the scores of three tests."""
    albumin, protein, grade, benefit = np.array(_OVARIAN.split(), float).reshape(-1, 4).T
    return benefit.astype(int), {"albumin": albumin, "grade": 10 - grade, "protein": protein}


def haemorrhage():
    """Labels (113,) and the scores of three markers."""
    s100b, ndka, grade, poor = np.array(_HAEMORRHAGE.split(), int).reshape(-1, 4).T
    return poor, {"s100b": s100b / 100, "wfns": grade, "ndka": ndka / 100}
