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
  LEVEL,
  LEVELS,
  capitalized,
  different,
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
    LEVEL,
    { id: "up-to" },
  );
  const limit = h("input", { type: "number", min: 1, id: "limit", placeholder: "none" });
  const most = h("input", { type: "number", min: 1, id: "seconds", placeholder: "none" });
  const solve = button("Solve", () => run(), { class: "main", id: "solve", disabled: true });
  const stop = button("Stop", () => cancel("interrupt"), { id: "stop", disabled: true });
  const unique = button("Unique?", () => ask(isUnique), { id: "unique", disabled: true });
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
    count,
    detail,
    verdict,
    stage.list,
    h("details", { id: "options" }, h("summary", {}, "Options"), fields),
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

  const run = () => ask((...how) => search(...how, true));

  /** After the best solutions only, all of them can be listed. */
  const others = () =>
    button("List all solutions, good or bad", () => ask((...how) => search(...how, false)), {
      id: "others",
    });

  /** Find all solutions, or the `best` ones if the rules ask for these. `ticking(show)` changes
   * what is shown as time passes. */
  async function search(signal, passed, ticking, best) {
    const request = { kind: "solve", puzzle: work.source, up_to: upTo.value, best };
    if (Number(limit.value) > 0) request.limit = Number(limit.value);
    stage.clear();
    let latest = null;
    let onlyBest = false;
    /** @type {any} a verdict, or why there is none */
    let ended = null;
    ticking((now) => {
      fill(count, soFar(latest));
      fill(detail, pace(latest, now));
    });
    const hear = {
      progress(message) {
        onlyBest ||= message.only_best;
      },
      solution(message) {
        stage.add(message);
        said();
      },
      verdict(message) {
        ended = message;
        ticking(() => {}); // reasons, which follow if there is no solution, may take some seconds
        judge(ended, passed(), request.up_to);
      },
      reasons: explain,
      error({ message }) {
        throw new Error(message);
      },
      stopped(message) {
        ended ??= { cut: why || message.reason, message };
      },
    };
    for await (const message of work.engine.ask(request, signal)) {
      if (message.so_far) latest = message.so_far;
      hear[message.kind]?.(message);
    }
    if (!ended?.result) interrupted(ended ?? { cut: "crash" }, latest);
    if (onlyBest && !(ended?.result && isNone(ended.result.solutions)))
      verdict.append(h("p", {}, others()));
  }

  /** Tell what a search found that came to its end, or to a limit. */
  function judge(ended, seconds, level) {
    const { result, found } = ended;
    const counts = { solutions: result.solutions, ...result.distinct };
    // the number of the best ones is not that of all
    const known = result.minimum === null ? counts : { minimum: result.minimum };
    if (result.complete) work.solved(known);
    fill(count, ...headline(ended, level));
    fill(detail, beside(ended));
    const seal = result.complete && { class: "seal", "data-icon": "✓" };
    fill(verdict, h("p", seal || {}, proof(result)), detailsOf(result, seconds));
    stage.finish(result.complete);
    const shown = stage.solutions.length;
    const some = `The first ${number(shown)} of ${number(found)} distinct solutions can be viewed.`;
    if (found > shown && shown) verdict.append(h("p", { class: "quiet" }, some));
    present();
  }

  /** Tell what a search found that was interrupted. */
  function interrupted({ cut, message }, latest) {
    const found = latest?.solutions ?? 0;
    const some = isNone(found) ? "No solution found yet" : `At least ${plural(found, "solution")}`;
    fill(count, h("strong", {}, some));
    const counts = latest ? distinct(latest.distinct, found) : [];
    fill(detail, counts.map((words) => `at least ${words}`).join(", "));
    const error = cut === "crash" && message?.message;
    fill(
      verdict,
      h("p", {}, `Not complete: ${reason(cut)}. The solutions found so far are kept.`),
      error && h("p", { class: "problem" }, error),
    );
    stage.finish(false);
    present();
  }

  function present() {
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
    // on a phone, the page may be scrolled past the answer
    count.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
  };

  function forget() {
    cancel("interrupt");
    for (const element of [count, detail, verdict]) fill(element);
  }

  return {
    changed() {
      forget();
      if (!controller) busy(false);
    },
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

const isNone = (solutions) => String(solutions) === "0";

const soFar = (latest) =>
  latest?.solutions
    ? `At least ${plural(latest.solutions, "solution")} so far`
    : "No solution so far";

/** How fast a search goes on that takes some seconds already. */
function pace(latest, seconds) {
  const parts = ["searching", duration(seconds)];
  if (latest) parts.push(`${number(latest.found)} distinct`);
  if (latest?.found && seconds > 0.2)
    parts.push(`${number(Math.round(latest.found / seconds))} per second`);
  return parts.join(" · ");
}

/** How many solutions there are, and how many of them are shown if symmetric ones count as one. */
function headline({ result, found }, level) {
  const best = result.minimum === null ? "" : "best ";
  const all = plural(result.solutions, `${best}solution`);
  if (result.stopped_by === "limit")
    // the limit is of distinct solutions
    return [h("strong", {}, `The first ${plural(found, `distinct ${best}solution`)}`)];
  if (!result.complete) return [h("strong", {}, `At least ${all}`)];
  const words = h("strong", {}, isNone(result.solutions) ? "No solution" : all);
  const few = different({ solutions: result.solutions, ...result.distinct });
  if (level === LEVEL) return [words, few && `, ${few}`];
  const same = kin(result, level);
  return [words, same && `; ${number(result.distinct[level])} without ${same}`];
}

/** What else there is to tell of a result in short. */
function beside({ result: { solutions, stopped_by, minimum }, cost }) {
  const all = stopped_by === "limit" && `at least ${plural(solutions, "solution")} in all`;
  const least = cost ? `in each, ${cost}` : minimum !== null && `minimum ${number(minimum)}`;
  return [all, least].filter(Boolean).join(", ");
}

function proof(result) {
  if (!result.complete) return established(result);
  if (isNone(result.solutions)) return "Proved: there is none.";
  return result.minimum === null
    ? "Proved: there are no others."
    : "Proved: none is better, and no other is as good.";
}

/** All counts, how they are established, and by which solver. */
function detailsOf(result, seconds) {
  const told = [
    distinct(result.distinct, result.solutions).join(", "),
    result.complete && established(result),
    `Solver: ${result.backend}, ${duration(seconds)}.`,
  ];
  const lines = told.filter(Boolean).map((words) => h("p", { class: "quiet" }, words));
  return h("details", {}, h("summary", {}, "Details"), ...lines);
}
