"""The report: one call that evaluates models, says what the numbers mean, and writes it down.

Conventions
-----------
What is computed (`evaluating` and what it calls) holds numbers and knows no format. What they say
is in `findings`. `sections` puts both into tables of text, which every renderer shows in its way.
"""
