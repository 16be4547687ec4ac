// A queue of messages that arrive over time, read by `for await`.

export class Queue {
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
