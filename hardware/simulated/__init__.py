"""Simulated devices that speak the real wire through the real codecs: for the demo, tests and a bench."""
