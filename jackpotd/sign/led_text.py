"""What an LED sign says: one line of ASCII.

Laws
1. A neutral pool has no number here either.
2. Accents are dropped, and a Chinese sign speaks English.
"""

from __future__ import annotations

import unicodedata

from jackpotd.sign.settings import Settings
from jackpotd.sign.views import Amount, HitView, PoolView
from jackpotd.sign.wording import WORDS, Language, grouped, places, whole_units


def led_language(language: Language) -> Language:
    """The language of an LED sign's words (law 2)."""
    return "en" if language == "zh-Hant" else language


def led_amount(amount: Amount, language: Language) -> str:
    """An amount with its currency's code, in ASCII."""
    return ascii_text(f"{amount.currency} {grouped(whole_units(amount), language)}")


def led_neutral(language: Language) -> str:
    """The neutral text (law 1)."""
    return ascii_text(WORDS[led_language(language)].jackpot).upper()


def led_pool(settings: Settings, view: PoolView) -> str:
    """A pool in one line; with its name where the sign shows several."""
    language = led_language(settings.language)
    words = WORDS[language]
    if view.amount is None:
        return led_neutral(settings.language)
    amount = led_amount(view.amount, language)
    if view.state == "suspended":
        amount = f"{amount} {words.suspended}"
    if len(settings.pool) == 1:
        return ascii_text(amount)
    (pool,) = (one for one in settings.pool if one.id == view.pool)
    return ascii_text(f"{pool.title(language)} {amount}")


def led_hit(settings: Settings, view: HitView) -> str:
    """A hit in one line, to run through."""
    language = led_language(settings.language)
    words = WORDS[language]
    amount = led_amount(view.amount, language)
    text = f"{words.tier(view.tier)} {amount} {places(view, language)} {words.of_state(view.state)}"
    return ascii_text(text).upper()


def ascii_text(text: str) -> str:
    """The text without accents; what still is not ASCII becomes a blank, and blanks are one."""
    plain = [char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char)]
    return " ".join("".join(char if char.isascii() else " " for char in plain).split())
