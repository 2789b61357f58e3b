"""Currencies of ISO 4217 and how many decimals their minor unit has.

Laws
1. Only currencies that people pay with: no metals, funds or test codes.
2. A currency that is not here is refused, never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackpotd.core.errors import RuleError

_CODES_BY_EXPONENT = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: (
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP "
        "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR "
        "IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN "
        "NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP "
        "STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
    ),
    3: "BHD IQD JOD KWD LYD OMR TND",
}
_EXPONENTS = {code: exponent for exponent, codes in _CODES_BY_EXPONENT.items() for code in codes.split()}


@dataclass(frozen=True, slots=True)
class Currency:
    """An ISO 4217 code and the decimals of its minor unit (MOP: 2, JPY: 0)."""

    code: str
    exponent: int


def currency(code: str) -> Currency:
    """The currency of a three-letter code; RuleError when ISO 4217 does not list it as money in use."""
    try:
        return Currency(code, _EXPONENTS[code])
    except KeyError:
        raise RuleError(f"{code!r} is not a currency code of ISO 4217; write it like MOP") from None
