// Runs the simulator. It is packed behind the loader that comes with Go.
let ready;
onmessage = async ({ data }) => {
  if (data.bytes) {
    const go = new Go();
    ready = WebAssembly.instantiate(data.bytes, go.importObject).then(({ instance }) => { go.run(instance); });
    return;
  }
  await ready;
  const begun = performance.now();
  const body = JSON.parse(data.query === undefined ? labctlLabs() : labctlAnswer(data.query));
  if (data.query !== undefined) body.took_ms = performance.now() - begun;
  postMessage({ id: data.id, body });
};
