"""Simulated devices that speak the real wire through the real codecs, for the demo, the tests and a technician's bench."""
