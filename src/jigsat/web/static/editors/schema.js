// Form fields from a JSON Schema: the options of generators, and the entries of families without an
// editor of their own.

import { button, field, h, select } from "../dom.js";
import { named } from "./named.js";
import { showsEntry } from "./faults.js";
import { withThing } from "../things.js";

// entries that are shown above, or are no part of the puzzle
const ELSEWHERE = ["family", "title", "source", "known"];
const SIMPLE = ["boolean", "integer", "number"];

/** A field for each property that a form can show, with a value if it is given: {name, label,
 * read}. `read` gives undefined for the default. */
export function schemaFields(schema, given) {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { control, read } = controlFor(
      resolved(property, schema, given[name]),
      given[name],
      String(given[name]).includes("\n"),
    );
    control.id = `option-${name}`;
    return { name, read, label: field(spaced(name), control, byDefault(property)) };
  });
}

/** The options that differ from the defaults. */
export const options = (fields) =>
  Object.fromEntries(
    fields.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== undefined),
  );

/** The entries of a puzzle as menus, numbers and lists of things with + and ✕, `without` some; with
 * `simple` only menus and numbers. */
export function entryFields(schema, data, change, { simple = false, without = [] } = {}) {
  const several =
    schema.oneOf?.flatMap(({ required }) => required).filter((name) => !(name in data)) ?? [];
  const put = (path, value) => change((now) => setAt(now, path, value), { redraw: true });
  const things = (name, empty, how) =>
    named({ ...data, [name]: data[name] ?? empty }, name, singular(spaced(name)), change, how);

  /** Things with names, or a list of names; null for anything else. */
  const list = (name, { type, items, additionalProperties }) => {
    const each = items ?? additionalProperties;
    if (type === "array" && each?.type === "string")
      return things(name, [], { separator: /[,;\n]+/ });
    if (type !== "object" || typeof each !== "object") return null;
    return things(
      name,
      {},
      {
        draw: (key, value) =>
          valueFields(each, schema, value, `${spaced(name)} ${key}`, [name, key], put),
        fresh: (values) => structuredClone(values.at(-1)) ?? fresh(each, schema),
      },
    );
  };

  const entry = ([name, property]) => {
    const found = resolved(property, schema, data[name]);
    if (simple && !SIMPLE.includes(found.type) && !found.enum) return null;
    const words = spaced(name);
    const hint = (property.description ?? "").replaceAll("`", "");
    const listed = list(name, found);
    if (listed) return section(words, hint, listed);
    const fields = valueFields(property, schema, data[name], words, [name], put);
    if (found.type === "array" || found.properties) return section(words, hint, fields);
    return field(words, fields, [hint, byDefault(property)].filter(Boolean).join(" "));
  };
  return Object.entries(schema.properties)
    .filter(([name]) => ![...ELSEWHERE, ...several, ...without].includes(name))
    .map(entry);
}

/** The smallest entries that a puzzle of a family needs. */
export const freshEntries = (schema) =>
  fresh(
    {
      ...schema,
      properties: Object.fromEntries(
        Object.entries(schema.properties).filter(([name]) => name !== "family"),
      ),
    },
    schema,
  );

/** What edits a value at a path of the entries. */
function valueFields(property, schema, value, label, path, put) {
  const found = resolved(property, schema, value);
  const part = (each, key, words) =>
    valueFields(each, schema, value?.[key], words, [...path, key], put);
  if (Array.isArray(found.items))
    return h(
      "div",
      { class: "row" },
      ...found.items.map((each, i) => part(each, i, `${label}, ${i + 1}`)),
    );
  if (found.type === "array") {
    const things = (value ?? []).map((_, i) => {
      const words = `${singular(label)} ${i + 1}`;
      return h(
        "li",
        { class: "row" },
        part(found.items ?? {}, i, words),
        button("✕", () => put([...path, i]), { class: "link", "aria-label": `Remove ${words}` }),
      );
    });
    const add = () =>
      put(
        [...path, things.length],
        structuredClone(value?.at(-1)) ?? fresh(found.items ?? {}, schema),
      );
    return h(
      "div",
      {},
      h("ul", { class: "list" }, ...things),
      button(`+ Add a ${singular(label.split(", ").at(-1))}`, add),
    );
  }
  if (found.properties)
    return h(
      "div",
      { class: "row fields" },
      ...Object.entries(found.properties).map(([name, each]) =>
        field(spaced(name), part(each, name, `${label}, ${spaced(name)}`)),
      ),
    );
  const hasLines = typeof value === "string" && value.includes("\n");
  const { control, read } = controlFor(found, value, hasLines || isDrawing(found));
  control.setAttribute("aria-label", label);
  showsEntry(control, ...path);
  // an empty field of a list takes its place all the same, such as a row; ✕ removes it
  const listed = typeof path.at(-1) === "number";
  const entered = () => read() ?? (listed ? fresh(found, schema) : undefined);
  control.addEventListener("change", () => control.reportValidity() && put(path, entered()));
  return control;
}

const section = (words, hint, ...parts) =>
  h("section", {}, h("h3", {}, words), hint && h("p", { class: "quiet" }, hint), ...parts);
const spaced = (name) => name.replaceAll("_", " ");
const singular = (words) => words.replace(/(?<=..)s$/, "");
const shown = (value) =>
  typeof value === "string"
    ? value
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : JSON.stringify(value);
const byDefault = (property) =>
  property.default === undefined || property.default === null
    ? ""
    : `default: ${shown(property.default)}`;

/** Entries with another value at a path; undefined takes it away. */
function setAt(data, path, value) {
  const [key, ...rest] = path;
  if (data instanceof Map) {
    if (rest.length || value !== undefined)
      return withThing(data, key, rest.length ? setAt(data.get(key), rest, value) : value);
    return new Map([...data].filter(([name]) => name !== key));
  }
  const copy = Array.isArray(data) ? [...data] : { ...data };
  if (rest.length)
    copy[key] = setAt(copy[key] ?? (typeof rest[0] === "number" ? [] : {}), rest, value);
  else if (value !== undefined) copy[key] = value;
  else if (Array.isArray(copy)) copy.splice(key, 1);
  else delete copy[key];
  return copy;
}

/** The smallest value of a schema. */
function fresh(property, schema) {
  const found = resolved(property, schema);
  if (found.default !== undefined) return structuredClone(found.default);
  if (found.enum) return found.enum[0];
  if (Array.isArray(found.items)) return found.items.map((each) => fresh(each, schema));
  if (found.type === "array") return found.minItems ? [fresh(found.items ?? {}, schema)] : [];
  if (found.properties) return freshObject(found, schema);
  if (found.type === "object")
    return found.minProperties ? { A: fresh(found.additionalProperties, schema) } : {};
  if (found.type === "boolean") return false;
  return isNumber(found) ? leastOf(found) : "";
}

function freshObject({ properties, required = [] }, schema) {
  const names = required.filter((name) => properties[name]);
  return Object.fromEntries(names.map((name) => [name, fresh(properties[name], schema)]));
}

/** Whether a value is a drawing, which has several rows, as a text or a list of texts. */
const isDrawing = ({ anyOf = [] }) =>
  anyOf.some(({ type }) => type === "string") &&
  anyOf.some(({ items }) => items?.type === "string");

const isNumber = ({ type }) => type === "integer" || type === "number";

/** The least number that a property allows; 0 if it does not say so. */
const leastOf = ({ minimum, exclusiveMinimum = -1 }) => minimum ?? exclusiveMinimum + 1;

/** A property without references, in the alternative of a value, or without one in the simplest
 * that is not null. */
function resolved(property, schema, value) {
  const follow = (one) =>
    one.$ref ? { ...(schema.$defs ?? schema.definitions)?.[one.$ref.split("/").pop()] } : one;
  const variants = (property.anyOf ?? [property]).map(follow).filter(({ type }) => type !== "null");
  const kind = Array.isArray(value) ? "array" : typeof value;
  const found =
    variants.find(({ type }) => type === kind) ??
    variants.find(({ type }) => type !== "array" && type !== "object") ??
    variants[0] ??
    {};
  return { ...property, ...found };
}

/** The control for a property, and `read`, which gives the value that was entered. */
function controlFor(property, value, long = false) {
  if (property.enum || property.type === "boolean") return menuFor(property, value);
  const { type } = property;
  const isText = type === "string" || typeof value === "string";
  const given = value === undefined || isText ? (value ?? "") : JSON.stringify(value);
  if (long) return longText(given);
  if (isNumber(property)) return numberFor(property, given);
  const control = h("input", { type: "text", value: given });
  return { control, read: () => (control.value === "" ? undefined : parsed(control.value, type)) };
}

function menuFor({ enum: values }, value) {
  const yesOrNo = [
    ["true", "yes"],
    ["false", "no"],
  ];
  const choices = values ? values.map((each) => [each, each]) : yesOrNo;
  const control = select([["", "default"], ...choices], value === undefined ? "" : String(value));
  const chosen = () => (values ? control.value : control.value === "true");
  return { control, read: () => (control.value === "" ? undefined : chosen()) };
}

function longText(value) {
  const rows = Math.min(12, value.split("\n").length);
  const control = h("textarea", { class: "rows", rows, value, spellcheck: "false" });
  return { control, read: () => control.value || undefined };
}

function numberFor({ type, minimum, exclusiveMinimum, maximum }, value) {
  const whole = type === "integer";
  const above = whole && exclusiveMinimum !== undefined ? exclusiveMinimum + 1 : undefined;
  const limits = { min: minimum ?? above, max: maximum, step: whole ? 1 : "any" };
  const control = h("input", { type: "number", ...limits, value });
  return { control, read: () => (control.value === "" ? undefined : Number(control.value)) };
}

function parsed(text, type) {
  if (type === "string" || (type === undefined && !/^[[{]/.test(text))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
