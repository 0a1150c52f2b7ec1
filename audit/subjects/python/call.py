"""What the clients have in common: the command line and its exit status.

    python3 CLIENT.py METHOD BODY KEY WARM-URL URL
    python3 CLIENT.py version

KEY is sent as Idempotency-Key unless it is empty. A warm-up, unless WARM-URL is empty,
goes through the same client first. The exit status is 1 when the call failed in the
end, by an error or by a status from 400 on.
"""

import sys

TIMEOUT = 1.0  # seconds, of one attempt


def run(package, exchange):
    """Makes the calls with exchange(method, url, body, headers), which returns a status.

    Or it prints the package's version.
    """
    if sys.argv[1:] == ["version"]:
        print(package.__version__)
        return
    method, body, key, warm, url = sys.argv[1:]
    headers = {"Idempotency-Key": key} if key else {}
    try:
        for target in filter(None, [warm, url]):
            status = exchange(method, target, body or None, headers)
            if status >= 400:
                raise RuntimeError(f"status {status}")
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
