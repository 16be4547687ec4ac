// Building and changing the document.

/** Give an element attributes and children. Attributes that begin with "on" are listeners; false
 * and null ones are left out. */
export function dress(element, attributes = {}, ...children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

const present = (children) =>
  children.flat().filter((child) => child !== null && child !== undefined && child !== false);
export const h = (tag, ...rest) => dress(document.createElement(tag), ...rest);
export const svgElement = (tag, ...rest) =>
  dress(document.createElementNS("http://www.w3.org/2000/svg", tag), ...rest);

export function button(words, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, words);
}

/** A labelled field. */
export function field(words, control, hint = "") {
  return h(
    "label",
    { class: "field" },
    h("span", {}, words),
    control,
    hint && h("small", {}, hint),
  );
}

export function select(options, chosen, attributes = {}) {
  const made = h(
    "select",
    attributes,
    ...options.map(([value, words]) => h("option", { value }, words)),
  );
  if (chosen !== undefined) made.value = chosen;
  return made;
}

/** An SVG document as an element, described in words for screen readers, without its margin if it
 * tells where that ends. Scripts in it never run. */
export function picture(svg, words) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg")
    return h("p", { class: "problem" }, "This picture cannot be drawn.");
  for (const unsafe of parsed.querySelectorAll("script, foreignObject")) unsafe.remove();
  const element = document.importNode(parsed, true);
  if (!element.getAttribute("viewBox")) {
    element.setAttribute(
      "viewBox",
      `0 0 ${element.getAttribute("width")} ${element.getAttribute("height")}`,
    );
  }
  for (const each of [element, ...element.querySelectorAll("svg")]) trim(each);
  return dress(element, { role: "img", "aria-label": words });
}

/** The white ground of a picture is seen only below black and white stones. */
function trim(svg) {
  const ground = svg.querySelector(':scope > rect[fill="white"]:first-child');
  ground?.classList.add("ground");
  const { inner } = svg.dataset;
  if (!inner || svg.parentElement) return; // one in another has its own place there
  const [x, y, width, height] = inner.split(" ");
  dress(ground, { x, y, width, height });
  svg.setAttribute("viewBox", inner);
}

/** Replace the content of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/** Put elements into another in this order, and take away all others. The first ones that are there
 * already stay untouched, so that they keep the focus. */
export function arrange(parent, children) {
  const before = [...parent.children];
  const differs = children.findIndex((child, i) => child !== before[i]);
  const kept = differs < 0 ? children.length : differs;
  for (const old of before.slice(kept)) old.remove();
  parent.append(...children.slice(kept));
}

/** Say beside a field what is wrong with it; '' takes that back. Returns whether nothing is. */
export function complain(input, problem, words) {
  input.setCustomValidity(words);
  fill(problem, words);
  if (words) problem.scrollIntoView({ block: "nearest" });
  return words === "";
}

/** Announce something to people who use a screen reader. */
export function announce(words) {
  document.getElementById("announcer").textContent = words;
}

/** Call a function once no further call was requested for this many milliseconds. */
export function delayed(milliseconds, act) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...values), milliseconds);
  };
}

/** Whether the window is higher than wide, so that all is in one column. */
export const narrow = () => matchMedia("(max-aspect-ratio: 1/1)").matches;

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
