// The engine in this browser: jigsat's Python in a worker. A search that does not react is stopped
// by ending its worker.

const PATIENCE = 400; // milliseconds until a worker that does not stop is terminated

export class WorkerEngine {
  #worker = null;
  #pending = new Map();
  #last = 0;
  /** @type {(progress: object) => void} */
  #onprogress;

  constructor(onprogress = () => {}) {
    this.#onprogress = onprogress;
    this.#start();
  }

  async *ask(request, signal) {
    if (signal?.aborted) return;
    const id = ++this.#last;
    const asked = { id, text: JSON.stringify({ schema: 1, ...request }), queue: new Queue() };
    this.#pending.set(id, asked);
    this.#worker.postMessage({ id, text: asked.text });
    signal?.addEventListener("abort", () => this.#stop(asked), { once: true });
    try {
      yield* asked.queue;
    } finally {
      this.#pending.delete(id);
    }
  }

  /** The instances; the site has them ready, so that they appear before Python is loaded. */
  async *gallery() {
    const response = await fetch("gallery.json").catch(() => null);
    if (response?.ok) yield* await response.json();
    else yield* this.ask({ kind: "gallery" });
  }

  #start() {
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) =>
      this.#onprogress({
        fraction: 0,
        failed: event.message || "The worker could not be started.",
      });
  }

  #hear({ id, line, stopped, progress }) {
    if (progress) {
      this.#onprogress(progress);
      return;
    }
    const asked = this.#pending.get(id);
    if (!asked) return;
    if (stopped) this.#end(asked);
    else {
      const message = JSON.parse(line);
      asked.queue.push(message);
      if (message.kind === "end") asked.queue.close();
    }
  }

  #stop(asked) {
    if (!this.#pending.has(asked.id)) return;
    this.#worker.postMessage({ id: asked.id, stop: true });
    setTimeout(() => {
      if (!this.#pending.has(asked.id)) return;
      this.#end(asked);
      this.#worker.terminate();
      this.#start();
      for (const { id, text } of this.#pending.values()) this.#worker.postMessage({ id, text });
    }, PATIENCE);
  }

  #end(asked) {
    this.#pending.delete(asked.id);
    asked.queue.push({ kind: "stopped", reason: "interrupt", message: "stopped" });
    asked.queue.close();
  }
}

/** Messages that arrive over time, read by `for await`. */
class Queue {
  #waiting = [];
  #wake = null;
  #closed = false;

  push(message) {
    if (this.#closed) return;
    this.#waiting.push(message);
    this.#wake?.();
  }

  close() {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      while (this.#waiting.length) yield this.#waiting.shift();
      if (this.#closed) return;
      await new Promise((wake) => (this.#wake = wake));
    }
  }
}
