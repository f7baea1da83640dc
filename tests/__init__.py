"""Tests; ``reference`` holds the slow, obvious versions that the fast ones are held against."""
