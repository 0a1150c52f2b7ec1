import urllib3

import call

pool = urllib3.PoolManager(timeout=call.TIMEOUT)


def exchange(method, url, body, headers):
    return pool.request(method, url, body=body, headers=headers).status


call.run(urllib3, exchange)
