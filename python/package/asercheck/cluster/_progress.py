"""The line that shows the progress."""

from __future__ import annotations

import sys
import time

#: Seconds between two lines if standard error is not a terminal.
INTERVAL = 10.0


class Progress:
    """A line on standard error: on a terminal it changes, elsewhere there is a new one now and then."""

    def __init__(self, shown: bool) -> None:
        self._shown = shown
        self._is_terminal = sys.stderr.isatty()
        self._begin = self._last = time.monotonic()
        self._width = 0

    def show(self, text: str, is_last: bool = False) -> None:
        """Shows a text, perhaps later."""
        now = time.monotonic()
        interval = 0.1 if self._is_terminal else INTERVAL
        if not self._shown or now - self._last < interval and not is_last:
            return
        self._last = now
        line = f"{text}, {now - self._begin:.0f} s"
        if self._is_terminal:
            print(f"\r{line:<{self._width}}", end="\n" if is_last else "", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def tell(self, text: str) -> None:
        """Prints a line of its own."""
        if self._is_terminal and self._width:
            print(file=sys.stderr)
            self._width = 0
        print(text, file=sys.stderr, flush=True)
