"""What devices say and do on the wire: one module a dialect, the links, and simulated devices. Imports nothing from jackpotd."""
