import { Agent, RetryAgent, request } from "undici";
import { run, timeout } from "./call.mjs";

// A RetryAgent with its defaults.
const dispatcher = new RetryAgent(new Agent({ headersTimeout: timeout, bodyTimeout: timeout }));

await run(["undici"], async ({ method, body, headers }, url) => {
  const answer = await request(url, { method, body, headers, dispatcher });
  await answer.body.text();
  return answer.statusCode;
});
