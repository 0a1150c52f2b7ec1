// Where answers come from: the program that serves this page.

/** @param {Response} response */
async function read(response) {
  const body = await response.json();
  if (body.error) throw new Error(body.error);
  return body;
}

export const labs = () => fetch("api/labs").then(read);

/** @param {string} query  @param {AbortSignal} signal */
export const answer = (query, seq, signal) => fetch(`api/answer?${query}&seq=${seq}`, { signal }).then(read);

export const live = {
  start: (query, net) => fetch(`api/live?${query}&net=${net}`, { method: "POST" }).then(read),
  view: () => fetch("api/live").then(read),
  stop: () => fetch("api/live", { method: "DELETE" }).then(read),
};
