// What the clients have in common: the command line and its exit status.
//
//   node CLIENT.mjs METHOD BODY KEY WARM-URL URL
//   node CLIENT.mjs version
//
// KEY is sent as Idempotency-Key unless it is empty. A warm-up, unless WARM-URL is empty,
// goes through the same client first. The exit status is 1 when the call failed in the
// end, by an error or by a status from 400 on.

import { readFileSync } from "node:fs";

export const timeout = 1000; // milliseconds, of one attempt

// callTimeout is that of a call with all its attempts, for libraries that know no other. It
// leaves room for three times a Retry-After of 3 seconds.
export const callTimeout = 10_000;

// run makes the calls, one after the other, with exchange({method, body, headers}, url),
// which returns a status; or it prints the versions of the packages.
export async function run(packages, exchange) {
  if (process.argv[2] === "version") {
    console.log(packages.map(version).join("/"));
    return;
  }
  const [method, body, key, warm, url] = process.argv.slice(2);
  const headers = key ? { "idempotency-key": key } : {};
  const call = { method, body: body || undefined, headers };
  try {
    for (const target of [warm, url]) {
      if (!target) continue;
      const status = await exchange(call, target);
      if (status >= 400) throw new Error(`status ${status}`);
    }
  } catch (error) {
    console.error(String(error));
    process.exit(1);
  }
  process.exit(0); // idle connections would keep the process
}

// version is read from the file: not every package exports its package.json.
function version(name, _, all) {
  const path = new URL(`./node_modules/${name}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(path, "utf8"));
  return all.length === 1 ? version : `${name} ${version}`;
}
