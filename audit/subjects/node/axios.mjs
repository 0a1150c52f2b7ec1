import http from "node:http";
import axios from "axios";
import axiosRetry from "axios-retry";
import { callTimeout, run } from "./call.mjs";

// Axios with axios-retry's defaults, and an agent so that connections are reused. The
// timeout is what is left of it for each further attempt.
const client = axios.create({ timeout: callTimeout, httpAgent: new http.Agent({ keepAlive: true }) });
axiosRetry(client);

await run(["axios", "axios-retry"], async ({ method, body, headers }, url) => {
  const answer = await client.request({ url, method, data: body, headers });
  return answer.status;
});
