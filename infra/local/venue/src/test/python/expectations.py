"""What the checks of a venue share: each ends the program at the first answer that is wrong."""

import sys

from alpaca.common.exceptions import APIError


def expect(actual, wanted, what):
    if actual != wanted:
        sys.exit(f"{what}: expected {wanted!r}, got {actual!r}")


def expect_refusal(status, code, what, call):
    try:
        call()
    except APIError as error:
        expect(error.status_code, status, f"{what}: status")
        if code is not None:
            expect(error.code, code, f"{what}: code")
        return
    sys.exit(f"{what}: was not refused")
