"""Tie cells to units (rows that a replicate cannot tell apart), and units to marked rows.

A run of cells with negatives only is one unit for AUC, AP, partial AUC, KS and operating points:
no threshold inside it can change them. Runs of positives may be merged for all but AP and
precision. A cut ends every run.
"""

import numpy as np

from fastmetrics.kernels._arrays import total
from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.sweep import ALONE, ENDS, LONG, LONG_GROUP, POSITIVE


@kernel
def merge_runs(counts, column_labels, cuts, cut_units, merge_positives, units):
    """Cells (U, C) of rows per column to units, from the highest score down.

    column_labels (C,) is the class of a column, cuts ascending numbers of cells flagged. units are
    the column, the rows and whether the unit ends its group, each (m,); they may be empty, which
    only finds m, the number returned. cut_units is filled with the units flagged at each cut.
    """
    unit_columns, unit_rows, unit_ends = units
    cells, columns = counts.shape
    sums = np.zeros(columns, np.int64)
    unit = 0
    cut = 0
    kind = 0
    for cell in range(cells + 1):
        # 1: negatives only, 2: positives only, 3: both, 0: empty, or past the end
        new_kind = 0
        if cell < cells:
            for column in range(columns):
                if counts[cell, column] > 0:
                    new_kind |= 1 + column_labels[column]
        at_cut = cut < cuts.size and cuts[cut] == cell
        empty = cell < cells and new_kind == 0
        joins = new_kind == kind and (kind == 1 or (kind == 2 and merge_positives))
        if at_cut or not (joins or empty):
            last = unit
            for column in range(columns):
                if sums[column] > 0:
                    if unit_rows.size > 0:
                        unit_columns[unit] = column
                        unit_rows[unit] = sums[column]
                        unit_ends[unit] = False
                    unit += 1
                    sums[column] = 0
            if unit > last and unit_rows.size > 0:
                unit_ends[unit - 1] = True
            kind = new_kind
        while cut < cuts.size and cuts[cut] == cell:
            cut_units[cut] = unit
            cut += 1
        if cell < cells:
            for column in range(columns):
                sums[column] += counts[cell, column]
    return unit


@kernel
def mark_units(labels, ends):
    """Marks (units,) of units as the rows of a sweep."""
    marks = np.empty(labels.size, np.uint8)
    size = 0
    for unit in range(labels.size):
        mark = POSITIVE if labels[unit] else 0
        size += 1
        if ends[unit]:
            mark |= ENDS
            if size == 1:
                mark |= ALONE
            if size > LONG_GROUP:
                mark |= LONG
            size = 0
        marks[unit] = mark
    return marks


@kernel
def expand_units(labels, rows, ends, merge_positives, marks):
    """Units to the marks (n,) of their single rows.

    Rows of a group with one class are told apart by nothing that is asked, so each stands alone;
    only tied positives stay together where precision is asked for.
    """
    place = 0
    first = 0
    for unit in range(labels.size):
        if not ends[unit]:
            continue
        group_rows = total(rows[first : unit + 1])
        single_class = True
        for member in range(first, unit):
            single_class &= labels[member] == labels[unit]
        apart = group_rows == 1 or (single_class and (not labels[unit] or merge_positives))
        for member in range(first, unit + 1):
            mark = POSITIVE if labels[member] else 0
            for _ in range(rows[member]):
                marks[place] = mark | ENDS | ALONE if apart else mark
                place += 1
        marks[place - 1] |= ENDS
        if not apart and group_rows > LONG_GROUP:
            marks[place - 1] |= LONG
        first = unit + 1


@kernel
def mark_rows(order, keys, labels):
    """Marks (n,) of the rows listed in order, whose sorted keys (n,) show the ties."""
    n = order.size
    marks = np.empty(n, np.uint8)
    size = 0
    for i in range(n):
        mark = POSITIVE if labels[order[i]] else 0
        size += 1
        if i == n - 1 or keys[i] != keys[i + 1]:
            mark |= ENDS
            if size == 1:
                mark |= ALONE
            if size > LONG_GROUP:
                mark |= LONG
            size = 0
        marks[i] = mark
    return marks
