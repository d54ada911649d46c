#!/usr/bin/env python3
"""compare_truth.py DATABASE LOG.csv: what evalrun stored, minus what the server did.

The database's view `attempt_metrics` (Docs/Results.md) and gtserver's log are joined by case and attempt. The error
of the first token is evalrun's `ttfc_ms` minus (first content token handed to send() - request received); of the
total, `e2e_ms` against the last content token. Both ends are in the error: the client's start to the server's
receipt, and the server's send() to the client's stamp.
"""
import sqlite3
import sys

import bench


def joined(database, rows):
    """Pairs (stored, logged) of every attempt that both know, and how many only one of them knows."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    stored = {
        (row["case_id"], row["number"] - 1): row
        for row in connection.execute("SELECT * FROM attempt_metrics WHERE phase = 'measured' AND counted")
    }
    logged = {(row["id"], row["attempt"]): row for row in rows}
    pairs = [(stored[key], logged[key]) for key in sorted(stored.keys() & logged.keys())]
    return pairs, len(stored.keys() ^ logged.keys())


def errors(pairs):
    """Rows (name, reported, true, error) in milliseconds, over answers that came to their end."""
    done = [(s, t) for s, t in pairs if t["outcome"] == "ok"]
    for name, column, stamp in (("first token", "ttfc_ms", "t_first"), ("total", "e2e_ms", "t_last")):
        reported = [s[column] for s, _ in done]
        true = [(t[stamp] - t["t_received"]) / 1e6 for _, t in done]
        if None in reported:
            sys.exit(f"{reported.count(None)} of {len(done)} answered attempts have no {column}")
        yield name, reported, true, [r - t for r, t in zip(reported, true)]


def show(pairs, title):
    def both(values, digits):
        return " / ".join(f"{bench.quantile(values, q):.{digits}f}" for q in (0.5, 0.99))

    bench.table(
        (title, "n", "reported p50 / p99 ms", "true p50 / p99 ms", "error p50 / p99 ms", "error min / max ms"),
        [
            (name, len(e), both(reported, 1), both(true, 1), both(e, 3), f"{min(e):.3f} / {max(e):.3f}")
            for name, reported, true, e in errors(pairs)
        ],
    )


if __name__ == "__main__":
    pairs, unmatched = joined(sys.argv[1], bench.truth(sys.argv[2]))
    show(pairs, "evalrun")
    print(f"{len(pairs)} attempts matched, {unmatched} known to one side only\n")
