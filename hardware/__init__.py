"""What devices say and do: one module a dialect, the links, simulated devices. Imports nothing from jackpotd."""
