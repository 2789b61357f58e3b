"""What a planted fault is: small patches of the sources, and the promises that they break."""

from __future__ import annotations

from dataclasses import dataclass

Patch = tuple[str, str, str]  # file, what stands there, what is put in its place


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault and the promises it breaks; `seed` is known to catch it.

    `also`: guards behind it, which would hide it, are taken away with it.
    """

    name: str
    file: str
    find: str
    put: str
    breaks: tuple[str, ...]
    seed: int = 0
    also: tuple[Patch, ...] = ()

    @property
    def patches(self) -> tuple[Patch, ...]:
        """All of it."""
        return (self.file, self.find, self.put), *self.also
