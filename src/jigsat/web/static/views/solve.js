// Solving: solutions as they are found, what is known so far, and the verdict.

import {
  announce,
  button,
  calm,
  delayed,
  field,
  fill,
  h,
  narrow,
  picture,
  select,
} from "../dom.js";
import { onServer, several } from "../engines/engine.js";
import {
  LEVELS,
  capitalized,
  distinct,
  duration,
  established,
  kin,
  number,
  plural,
  reason,
} from "../words.js";

export function solvePanel(panel, work, stage, turnTo) {
  const upTo = select(
    Object.entries(LEVELS).filter(([level]) => onServer || level !== "automorphism"),
    "rotation",
    { id: "up-to" },
  );
  const limit = h("input", { type: "number", min: 1, id: "limit", placeholder: "none" });
  const most = h("input", { type: "number", min: 1, id: "seconds", placeholder: "none" });
  const solve = button("Solve", () => run(), { class: "main", id: "solve" });
  const stop = button("Stop", () => cancel("interrupt"), { id: "stop", disabled: true });
  const unique = button("Unique?", () => ask(isUnique), { id: "unique" });
  const hint = button("Hint", () => turnTo("play").hint());
  const count = h("p", { class: "count", id: "count" });
  const detail = h("p", { class: "quiet", id: "detail" });
  const verdict = h("div", { id: "verdict" });
  const said = delayed(1500, () => announce(count.textContent));
  let controller = null;
  let why = "";

  const fields = h(
    "div",
    { class: "row fields" },
    field("Count as one", upTo),
    field("At most", limit, "distinct solutions"),
    field("Time limit", most, "seconds"),
  );
  const bar = h(
    "div",
    { class: "pinned" },
    h("div", { class: "row bar" }, solve, stop, unique, hint),
  );
  fill(
    panel,
    bar,
    h("details", { id: "options" }, h("summary", {}, "Options"), fields),
    count,
    detail,
    verdict,
    stage.all,
  );

  function cancel(reasonToStop) {
    why = reasonToStop;
    controller?.abort();
  }

  function busy(on) {
    const left = document.activeElement;
    if (on) stop.disabled = false;
    // a button that is disabled loses the focus
    if (on && [solve, unique].includes(left)) stop.focus({ preventScroll: true });
    solve.disabled = unique.disabled = on;
    if (!on && left === stop) solve.focus({ preventScroll: true });
    stop.disabled = !on;
    panel.toggleAttribute("data-busy", on);
  }

  /** Do something that can be stopped, and show the time that passes. */
  async function ask(act) {
    if (controller || ![limit, most].every((entry) => entry.reportValidity())) return;
    fill(verdict);
    fill(count, "Searching …");
    await work.settled; // an edit that is under way
    if (controller) return;
    const mine = new AbortController();
    controller = mine;
    why = "";
    const began = performance.now();
    const passed = () => (performance.now() - began) / 1000;
    busy(true);
    fill(verdict);
    fill(count, "Searching …");
    const timer = setInterval(() => tick(passed()), 250);
    const seconds = Number(most.value);
    const alarm = seconds > 0 ? setTimeout(() => cancel("timeout"), seconds * 1000) : 0;
    let tick = (now) => fill(detail, duration(now));
    try {
      await act(mine.signal, passed, (show) => (tick = show));
    } catch (error) {
      fill(count, "");
      fill(detail, "");
      fill(
        verdict,
        h(
          "p",
          { class: "problem", role: "alert" },
          why ? `Stopped: ${reason(why)}.` : error.message,
        ),
      );
    } finally {
      clearInterval(timer);
      clearTimeout(alarm);
      if (controller === mine) controller = null;
      busy(false);
    }
  }

  const run = () =>
    ask(async (signal, passed, ticking) => {
      const request = { kind: "solve", puzzle: work.source, up_to: upTo.value };
      stage.clear();
      let latest = null;
      const show = (now) => {
        fill(
          count,
          latest?.solutions
            ? `At least ${plural(latest.solutions, "solution")} so far`
            : "No solution so far",
        );
        const rate =
          latest && now > 0.2 ? `${number(Math.round(latest.found / now))} per second` : "";
        fill(
          detail,
          [
            "searching",
            duration(now),
            latest ? `${number(latest.found)} distinct` : "",
            latest?.found ? rate : "",
          ]
            .filter(Boolean)
            .join(" · "),
        );
      };
      ticking(show);
      if (Number(limit.value) > 0) request.limit = Number(limit.value);
      let ended = null;
      for await (const message of work.engine.ask(request, signal)) {
        if (message.so_far) latest = message.so_far;
        if (message.kind === "solution") {
          stage.add(message);
          said();
        }
        if (message.kind === "verdict") {
          ended = message;
          ticking(() => {}); // reasons, which follow if there is no solution, may take some seconds
          finish(ended, latest, passed(), request.up_to);
        }
        if (message.kind === "reasons") explain(message);
        if (message.kind === "error") throw new Error(message.message);
        if (message.kind === "stopped") ended ??= { cut: why || message.reason, message };
      }
      if (!ended?.result) finish(ended ?? { cut: "crash" }, latest, passed());
    });

  function finish(ended, latest, seconds, level) {
    if (ended.result) {
      const { result } = ended;
      const all = result.complete;
      if (all) work.solved({ solutions: result.solutions, ...result.distinct });
      const found = plural(result.solutions, "solution");
      const same = kin(result, level);
      const asked = result.stopped_by === "limit"; // the limit is of distinct solutions
      const shortly = asked
        ? `The first ${plural(ended.found, "distinct solution")}`
        : `At least ${found}`;
      fill(
        count,
        h("strong", {}, all ? (String(result.solutions) === "0" ? "No solution" : found) : shortly),
        all && same && `; ${number(result.distinct[level])} if ${same} count as one`,
      );
      fill(
        detail,
        [
          asked && `at least ${found} in all`,
          result.minimum !== null && `minimum ${number(result.minimum)}`,
        ]
          .filter(Boolean)
          .join(", "),
      );
      const none = String(result.solutions) === "0";
      const how = h(
        "details",
        {},
        h("summary", {}, "Details"),
        ...[
          distinct(result.distinct, result.solutions).join(", "),
          all && established(result),
          `Solver: ${result.backend}, ${duration(seconds)}.`,
        ]
          .filter(Boolean)
          .map((words) => h("p", { class: "quiet" }, words)),
      );
      fill(
        verdict,
        h(
          "p",
          {},
          all ? `Proved: there ${none ? "is none" : "are no others"}.` : established(result),
        ),
        how,
      );
      stage.finish(all, same && `${same} count as one`);
      const shown = stage.solutions.length;
      if (ended.found > shown && shown)
        verdict.append(
          h(
            "p",
            { class: "quiet" },
            `The first ${number(shown)} of ${number(ended.found)} distinct solutions can be viewed.`,
          ),
        );
    } else {
      const found = latest?.solutions ?? 0;
      fill(
        count,
        h(
          "strong",
          {},
          String(found) === "0" ? "No solution found yet" : `At least ${plural(found, "solution")}`,
        ),
      );
      fill(
        detail,
        latest
          ? distinct(latest.distinct, found)
              .map((words) => `at least ${words}`)
              .join(", ")
          : "",
      );
      const message = ended.cut === "crash" ? (ended.message?.message ?? "") : "";
      fill(
        verdict,
        h("p", {}, `Not complete: ${reason(ended.cut)}. The solutions found so far are kept.`),
        message && h("p", { class: "problem" }, message),
      );
      stage.finish(false);
    }
    announce([count.textContent, detail.textContent, verdict.textContent].join(". "));
    // the picture is above the verdict, and both fit
    if (narrow()) stage.element.scrollIntoView({ block: "nearest" });
    verdict.firstChild.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
  }

  /** Why there is no solution, with what is wrong marked in pictures. */
  function explain({ found, finished }) {
    for (const { words, svg } of found) {
      verdict.append(h("p", { class: "reason" }, `Reason: ${words}.`));
      if (svg) verdict.append(h("figure", { class: "paper" }, picture(svg, words)));
    }
    if (!finished)
      verdict.append(h("p", { class: "quiet" }, "The search for simple reasons was not finished."));
    announce([count.textContent, verdict.textContent].join(". "));
  }

  const isUnique = async (signal) => {
    const request = {
      kind: "unique",
      puzzle: work.source,
      up_to: upTo.value === "automorphism" ? "all" : upTo.value,
    };
    stage.clear();
    const [found, reasons] = await several(work.engine, request, ["uniqueness", "reasons"], signal);
    fill(count, h("strong", {}, found.unique ? "Exactly one solution" : capitalized(found.words)));
    fill(detail, "");
    const shown =
      found.solutions.length > 1
        ? "Show two solutions; the differences are marked in red"
        : "Show the solution";
    const figures = h(
      "div",
      { class: "pair" },
      ...found.solutions.map((solution, i) =>
        h(
          "figure",
          { class: "paper" },
          picture(solution.svg, `Solution ${i + 1}`),
          h("figcaption", {}, `Solution ${i + 1}`),
        ),
      ),
    );
    // who plays need not see them
    fill(verdict, found.solutions.length && h("details", {}, h("summary", {}, shown), figures));
    if (reasons) explain(reasons);
    else announce(count.textContent);
  };

  function forget() {
    cancel("interrupt");
    for (const element of [count, detail, verdict]) fill(element);
  }

  return {
    changed: forget,
    broken: forget,
    run() {
      solve.focus({ preventScroll: true });
      run();
    },
    isUnique() {
      unique.focus({ preventScroll: true });
      ask(isUnique);
    },
    close: () => cancel("interrupt"),
  };
}
