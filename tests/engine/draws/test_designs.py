"""Items of a design: what is drawn as one, where it stands, and how many draws its pool has."""

import numpy as np
import pytest

from fastmetrics.engine.draws.designs import Design, cluster_items, merged_items, row_items


def codes(n, k, seed=0):
    """Codes (n,) of k values, all of which occur."""
    generator = np.random.default_rng(seed)
    return generator.permutation(np.concatenate([np.arange(k), generator.integers(0, k, n - k)]))


@pytest.mark.parametrize("order", [None, "shuffled"])
def test_rows_are_items_in_the_order_of_a_model(order):
    rows = None if order is None else np.random.default_rng(1).permutation(7).astype(np.uint32)
    items = row_items(7, None, rows)
    assert items.size == 7
    assert items.pool_sizes.tolist() == [7]
    assert items.pool_draws.tolist() == [7]
    assert not items.clustered
    assert items.places.dtype == np.uint32
    expected = np.arange(7) if rows is None else rows
    # the row at place k is the k-th of the order
    assert np.argsort(items.places).tolist() == expected.tolist()
    np.testing.assert_array_equal(items.ones(), np.ones((1, 7, 1)))


@pytest.mark.parametrize("order", [None, "shuffled"])
def test_rows_of_a_stratum_stand_together_in_their_order(order):
    strata = codes(60, 5)
    rows = np.arange(60, dtype=np.uint32)
    if order:
        rows = np.random.default_rng(1).permutation(60).astype(np.uint32)
    items = row_items(60, strata, None if order is None else rows)
    assert items.pool_sizes.tolist() == np.bincount(strata).tolist()
    np.testing.assert_array_equal(items.pools[items.places], strata)
    place_in_order = np.argsort(rows)
    for stratum in range(5):
        mine = np.flatnonzero(strata == stratum)
        by_place = mine[np.argsort(items.places[mine])]
        assert (np.diff(place_in_order[by_place]) > 0).all()


def test_a_cluster_is_one_item_of_all_its_rows():
    groups = codes(50, 12)
    items = cluster_items(groups, None)
    assert items.clustered
    assert items.size == 12
    assert items.pool_draws.tolist() == [12]
    np.testing.assert_array_equal(items.places, groups)
    np.testing.assert_array_equal(items.ones(), np.ones((1, 12, 1)))


def test_clusters_of_a_stratum_stand_together_and_are_counted():
    groups = codes(200, 30)
    stratum_of_group = codes(30, 4, seed=2)
    strata = stratum_of_group[groups]
    items = cluster_items(groups, strata)
    assert items.pool_sizes.tolist() == np.bincount(stratum_of_group).tolist()
    assert items.pool_draws.tolist() == items.pool_sizes.tolist()
    np.testing.assert_array_equal(items.pools[items.places], strata)
    # one place per group, another for each
    for group in range(30):
        assert np.unique(items.places[groups == group]).size == 1
    assert np.unique(items.places).size == 30


@pytest.mark.parametrize("stratified", [False, True])
def test_merged_rows_are_drawn_as_often_as_there_are_rows(stratified):
    unit = codes(90, 8)
    strata = (unit % 3) if stratified else None
    items = merged_items(unit, strata)
    assert not items.clustered
    assert items.size == 8
    np.testing.assert_array_equal(np.bincount(items.places, minlength=8), items.rows)
    rows = [90] if strata is None else np.bincount(strata).tolist()
    assert items.pool_draws.tolist() == rows
    np.testing.assert_array_equal(items.ones(), items.rows[None, :, None])


def test_a_stratum_without_rows_has_no_items_and_no_draws():
    strata = np.array([0, 2, 2, 0, 4])
    for items in (row_items(5, strata), cluster_items(np.arange(5), strata)):
        assert items.pool_sizes.tolist() == [2, 0, 2, 0, 1]
        assert items.pool_draws.tolist() == [2, 0, 2, 0, 1]
    merged = merged_items(np.array([0, 1, 1, 0, 2]), strata)
    assert merged.pool_sizes.tolist() == [1, 0, 1, 0, 1]
    assert merged.pool_draws.tolist() == [2, 0, 2, 0, 1]


def test_plain_designs_draw_single_rows():
    assert Design().plain
    assert Design(by_class=True).plain
    assert not Design(strata=np.zeros(3, np.int64)).plain
    assert not Design(groups=np.zeros(3, np.int64)).plain
