"""How well scores order: areas, curves, pairs, operating points, lists, top rows."""
