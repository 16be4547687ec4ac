// The engine that answers the page's requests: jigsat in a worker of the browser, or a server.
//
// Both engines have two methods. `ask(request, signal)` gives the messages of the answer one by one
// (an async iterator); `messages.py` describes them. Aborting the signal stops the work at once.
// `gallery(signal)` gives the instances. An answer ends with the message `end`, unless it was cut off;
// then its last message is `stopped`.

import { ServerEngine } from "./server-engine.js";
import { WorkerEngine } from "./worker-engine.js";

/** What each engine knows about families, asked for once. */
const families = new WeakMap();

export const onServer = document.documentElement.dataset.engine === "server";

export function createEngine(onprogress) {
  return onServer ? new ServerEngine() : new WorkerEngine(onprogress);
}

/** The error in an answer, thrown where one message is expected. */
export class Refused extends Error {
  constructor(message) {
    super(message.message);
    this.said = message;
  }
}

/** The messages of an answer before its end; throws `Refused` at an error, and if it is cut off. */
export async function* answer(engine, request, signal) {
  for await (const message of engine.ask(request, signal)) {
    if (message.kind === "error" || message.kind === "stopped") throw new Refused(message);
    if (message.kind !== "end") yield message;
  }
}

/** The message of one kind in an answer; throws `Refused` if there is none. */
export async function one(engine, request, kind, signal) {
  return (await several(engine, request, [kind], signal))[0];
}

/** What is known about all families: their formats, and the schemas of their entries and generators.
 * */
export function familiesOf(engine) {
  if (!families.has(engine)) {
    const asked = one(engine, { kind: "about" }, "about").then((about) => about.families);
    asked.catch(() => families.delete(engine)); // to be asked for again
    families.set(engine, asked);
  }
  return families.get(engine);
}

/** The messages of these kinds in an answer, at most one of each; throws `Refused` if there is none
 * of the first kind. */
export async function several(engine, request, kinds, signal) {
  const found = {};
  for await (const message of answer(engine, request, signal)) found[message.kind] ??= message;
  if (!found[kinds[0]])
    throw new Refused({
      kind: "error",
      reason: "bug",
      message: `There was no answer to '${request.kind}'.`,
    });
  return kinds.map((kind) => found[kind]);
}
