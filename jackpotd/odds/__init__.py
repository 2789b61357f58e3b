"""Exact mathematics of a pool: how often each tier is won, what it returns, and how much luck is credible.

Laws
1. Chances are whole numbers over whole numbers. Nothing here is estimated, sampled or rounded on the way.
2. It uses the rules of the core and decides nothing: what it computes is printed, or recorded by the one writer.
"""
