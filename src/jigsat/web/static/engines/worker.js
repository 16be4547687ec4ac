// The worker: loads Python and jigsat, and answers requests. Between two messages of an answer it
// listens to the page.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const stopped = new Set();
const tell = (fraction, words) => postMessage({ progress: { fraction, words } });
const started = start();
started.catch((error) =>
  postMessage({
    progress: { fraction: 0, failed: `jigsat could not be loaded: ${error.message ?? error}` },
  }),
);

async function start() {
  tell(0.05, "Loading Python");
  const archive = fetch(new URL("../python.zip", import.meta.url)).then(content);
  const python = await loadPyodide({
    indexURL: new URL("../pyodide/", import.meta.url).href,
    checkAPIVersion: false,
  });
  tell(0.5, "Loading jigsat");
  const folder = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await archive, "zip", { extractDir: folder });
  tell(0.7, "Starting jigsat");
  const replies = python.runPython(
    "from importlib import invalidate_caches; invalidate_caches()\nfrom jigsat.web import replies\nreplies",
  );
  tell(1, "Ready");
  return replies;
}

async function content(response) {
  if (!response.ok) throw new Error(`python.zip: ${response.status}`);
  return response.arrayBuffer();
}

/** Give the event loop a turn. */
function turn() {
  return new Promise((resume) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resume;
    port2.postMessage(null);
  });
}

async function answer(id, text) {
  const replies = await started;
  const lines = replies(text);
  try {
    for (;;) {
      const { done, value } = lines.next();
      if (done) return;
      postMessage({ id, line: value });
      await turn();
      if (stopped.delete(id)) {
        postMessage({ id, stopped: true });
        return;
      }
    }
  } finally {
    lines.return?.();
    lines.destroy();
  }
}

onmessage = ({ data: { id, text, stop } }) => {
  if (stop) stopped.add(id);
  else answer(id, text).catch((error) => fail(id, error));
};

function fail(id, error) {
  const message = {
    kind: "error",
    reason: "bug",
    message: String(error.message ?? error)
      .trim()
      .split("\n")
      .pop(),
  };
  for (const one of [message, { kind: "end" }]) postMessage({ id, line: JSON.stringify(one) });
}
