"""The ledger: append-only, hash-chained rows that survive anything short of a destroyed disk, behind one port."""
