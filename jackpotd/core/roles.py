"""Who may act, by role (design 4). ADMIN is root or the service's own user: it adds operators and does nothing else."""

from __future__ import annotations

DEALER_ASSIST = "dealer-assist"
SUPERVISOR = "supervisor"
SURVEILLANCE = "surveillance"
ACCOUNTING = "accounting"
TECHNICIAN = "technician"
REGULATOR = "regulator"
ROLES = (DEALER_ASSIST, SUPERVISOR, SURVEILLANCE, ACCOUNTING, TECHNICIAN, REGULATOR)
ADMIN = "admin"
DECIDERS = frozenset({SUPERVISOR, SURVEILLANCE, ACCOUNTING})  # of hits and pools; alone only a supervisor
