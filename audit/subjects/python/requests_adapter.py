import requests
from requests.adapters import HTTPAdapter

import call

session = requests.Session()
session.trust_env = False
session.mount("http://", HTTPAdapter(max_retries=3))


def exchange(method, url, body, headers):
    return session.request(method, url, data=body, headers=headers, timeout=call.TIMEOUT).status_code


call.run(requests, exchange)
