// The engine behind `jigsat serve`: one POST per request, answered by server-sent events.

export class ServerEngine {
  async *ask(request, signal) {
    let ended = false;
    try {
      const body = JSON.stringify({ schema: 1, ...request });
      const response = await fetch("api", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        signal,
        cache: "no-store",
      });
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        yield { kind: "error", reason: "input", message: await refusal(response) };
        return;
      }
      for await (const message of events(response.body)) {
        ended ||= message.kind === "end";
        yield message;
      }
      if (!ended) yield cut();
    } catch {
      yield signal?.aborted ? { kind: "stopped", reason: "interrupt", message: "stopped" } : cut();
    }
  }

  gallery(signal) {
    return this.ask({ kind: "gallery" }, signal);
  }
}

function cut() {
  return {
    kind: "stopped",
    reason: "crash",
    message:
      "The server does not answer. What you did is kept in this browser. If the server is yours, start it again with `jigsat serve` and open its new link; if not, ask whoever gave you the link.",
  };
}

async function refusal(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).message;
  } catch {
    return text.trim() || `The server refused the request (${response.status}).`;
  }
}

/** The JSON objects of an event stream. */
async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      if (part.startsWith("data:")) yield JSON.parse(part.slice(5));
    }
  }
}
