// Form fields from a JSON Schema: the options of generators, and the entries of families without an
// editor of their own.

import { button, field, h, select } from "../dom.js";
import { named } from "./named.js";
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

/** The entries of a puzzle as menus, numbers and lists of things with + and ✕; with `simple` only
 * menus and numbers. */
export function entryFields(schema, data, change, { simple = false } = {}) {
  const several =
    schema.oneOf?.flatMap(({ required }) => required).filter((name) => !(name in data)) ?? [];
  const put = (path, value) => change((now) => setAt(now, path, value), { redraw: true });
  const entry = ([name, property]) => {
    const found = resolved(property, schema, data[name]);
    if (simple && !SIMPLE.includes(found.type) && !found.enum) return null;
    const words = spaced(name);
    const hint = (property.description ?? "").replaceAll("`", "");
    const each = found.items ?? found.additionalProperties;
    if (found.type === "object" && typeof each === "object") {
      const draw = (key, value) =>
        valueFields(each, schema, value, `${words} ${key}`, [name, key], put);
      return section(
        words,
        hint,
        named({ ...data, [name]: data[name] ?? {} }, name, singular(words), change, {
          draw,
          fresh: (values) => structuredClone(values.at(-1)) ?? fresh(each, schema),
        }),
      );
    }
    if (found.type === "array" && each?.type === "string") {
      return section(
        words,
        hint,
        named({ ...data, [name]: data[name] ?? [] }, name, singular(words), change, {
          separator: /[,;\n]+/,
        }),
      );
    }
    if (found.type === "array" || found.properties)
      return section(words, hint, valueFields(property, schema, data[name], words, [name], put));
    return field(
      words,
      valueFields(property, schema, data[name], words, [name], put),
      [hint, byDefault(property)].filter(Boolean).join(" "),
    );
  };
  return Object.entries(schema.properties)
    .filter(([name]) => ![...ELSEWHERE, ...several].includes(name))
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
  const { control, read } = controlFor(
    found,
    value,
    typeof value === "string" && value.includes("\n"),
  );
  control.setAttribute("aria-label", label);
  control.addEventListener("change", () => control.reportValidity() && put(path, read()));
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
  if (found.properties)
    return Object.fromEntries(
      (found.required ?? [])
        .filter((name) => found.properties[name])
        .map((name) => [name, fresh(found.properties[name], schema)]),
    );
  if (found.type === "object")
    return found.minProperties ? { A: fresh(found.additionalProperties, schema) } : {};
  if (found.type === "boolean") return false;
  return found.type === "integer" || found.type === "number"
    ? (found.minimum ?? (found.exclusiveMinimum ?? -1) + 1)
    : "";
}

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

function controlFor(
  { type, enum: values, minimum, exclusiveMinimum, maximum },
  value,
  long = false,
) {
  if (values || type === "boolean") {
    const choices = values
      ? values.map((each) => [each, each])
      : [
          ["true", "yes"],
          ["false", "no"],
        ];
    const control = select([["", "default"], ...choices], value === undefined ? "" : String(value));
    return {
      control,
      read: () =>
        control.value === "" ? undefined : values ? control.value : control.value === "true",
    };
  }
  const given =
    value === undefined
      ? ""
      : type === "string" || typeof value === "string"
        ? value
        : JSON.stringify(value);
  if (long) {
    const control = h("textarea", {
      class: "rows",
      rows: Math.min(12, given.split("\n").length),
      value: given,
      spellcheck: "false",
    });
    return { control, read: () => control.value };
  }
  if (type === "integer" || type === "number") {
    const least =
      minimum ??
      (type === "integer" && exclusiveMinimum !== undefined ? exclusiveMinimum + 1 : undefined);
    const control = h("input", {
      type: "number",
      min: least,
      max: maximum,
      step: type === "integer" ? 1 : "any",
      value: given,
    });
    return { control, read: () => (control.value === "" ? undefined : Number(control.value)) };
  }
  const control = h("input", { type: "text", value: given });
  return { control, read: () => (control.value === "" ? undefined : parsed(control.value, type)) };
}

function parsed(text, type) {
  if (type === "string" || (type === undefined && !/^[[{]/.test(text))) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
