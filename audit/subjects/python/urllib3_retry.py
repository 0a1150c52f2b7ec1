import urllib3

import call

retries = urllib3.Retry(total=3, backoff_factor=0.2, status_forcelist=[429, 500, 502, 503, 504])
pool = urllib3.PoolManager(timeout=call.TIMEOUT, retries=retries)


def exchange(method, url, body, headers):
    return pool.request(method, url, body=body, headers=headers).status


call.run(urllib3, exchange)
