"""Tie cells to units (rows that a replicate cannot tell apart), and units to marked rows.

A run of cells with negatives only is one unit for AUC, AP, partial AUC, KS and operating points:
no threshold inside it can change them. Runs of positives may be merged for all but AP and
precision. A cut ends every run.
"""

import numpy as np

from fastmetrics.kernels._jit import kernel
from fastmetrics.kernels.sweep import ALONE, ENDS, LONG, LONG_GROUP, POSITIVE


@kernel
def merge_runs(counts, column_labels, cuts, cut_units, merge_positives, units):
    """Cells (U, C) of rows per column to units, from the highest score down.

    column_labels (C,) is the class of a column, cuts ascending numbers of cells flagged. units are
    the column, the rows and whether the unit ends its group, each with a place for every count
    above 0; the number of them that are taken is returned. cut_units is filled with the units
    flagged at each cut.
    """
    unit_columns, unit_rows, unit_ends = units
    cells, columns = counts.shape
    unit = 0
    cut = 0
    first = 0
    while first < cells:
        while cut < cuts.size and cuts[cut] <= first:
            cut_units[cut] = unit
            cut += 1
        stop = cuts[cut] if cut < cuts.size else cells
        # of the run so far: 1: negatives only, 2: positives only, 3: both, 0: empty
        kind = 0
        last = first
        while last < stop:
            new_kind = 0
            for column in range(columns):
                if counts[last, column] > 0:
                    new_kind |= 1 + column_labels[column]
            joins = new_kind == kind and (kind == 1 or (kind == 2 and merge_positives))
            if kind > 0 and new_kind > 0 and not joins:
                break
            kind |= new_kind
            last += 1
        begin = unit
        for column in range(columns):
            rows = 0
            for cell in range(first, last):
                rows += counts[cell, column]
            if rows > 0:
                unit_columns[unit] = column
                unit_rows[unit] = rows
                unit_ends[unit] = False
                unit += 1
        if unit > begin:
            unit_ends[unit - 1] = True
        first = last
    while cut < cuts.size:
        cut_units[cut] = unit
        cut += 1
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
    single_class = True
    for unit in range(labels.size):
        mark = POSITIVE if labels[unit] else 0
        for _ in range(rows[unit]):
            marks[place] = mark
            place += 1
        single_class &= mark == marks[first]
        if not ends[unit]:
            continue
        if place - first == 1 or (single_class and (mark != POSITIVE or merge_positives)):
            for row in range(first, place):
                marks[row] |= ENDS | ALONE
        else:
            marks[place - 1] |= ENDS | LONG if place - first > LONG_GROUP else ENDS
        first = place
        single_class = True


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
