"""The pure core: rules, money and state. It never reads a clock, a file, a random number or the environment."""
