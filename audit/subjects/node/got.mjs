import http from "node:http";
import got from "got";
import { run, timeout } from "./call.mjs";

// Got with its default of two retries, and an agent so that connections are reused.
const agent = { http: new http.Agent({ keepAlive: true }) };

await run(["got"], async ({ method, body, headers }, url) => {
  const answer = await got(url, { method, body, headers, agent, timeout: { response: timeout } });
  return answer.statusCode;
});
