// Where answers come from in the page that is one file: the simulator, compiled to
// WebAssembly, in a worker, so that sliders move while it works.

const text = (id) => document.getElementById(id).textContent;

async function program() {
  const packed = Uint8Array.from(atob(text("program")), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

const worker = new Worker(URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" })));
const waiting = new Map();
let last = 0;

worker.onmessage = ({ data: { id, body } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (body.error) reject(new Error(body.error)); else resolve(body);
};

const bytes = await program();
worker.postMessage({ bytes }, [bytes]);

const call = (message) => new Promise((resolve, reject) => {
  waiting.set(++last, { resolve, reject });
  worker.postMessage({ id: last, ...message });
});

export const labs = () => call({});

/** It works off one question after the other; none can be cut off. */
export const answer = (query, seq) => call({ query }).then((a) => ({ ...a, seq }));

export const live = null; // a browser opens no sockets
