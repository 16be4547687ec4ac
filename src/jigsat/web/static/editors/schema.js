// Form fields from a JSON Schema.

import { field, h, select } from "../dom.js";

/** A field for each property that a form can show: {name, label, read}. `read` gives undefined for the default. */
export function schemaFields(schema) {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { control, read } = controlFor(resolved(property, schema));
    control.id = `option-${name}`;
    return { name, read, label: field(name.replaceAll("_", " "), control, property.default === undefined || property.default === null ? "" : `default: ${shown(property.default)}`) };
  });
}

/** The options that differ from the defaults. */
export function options(fields) {
  return Object.fromEntries(fields.map(({ name, read }) => [name, read()]).filter(([, value]) => value !== undefined));
}

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** A property without references and without the alternative null. */
function resolved(property, schema) {
  const variants = (property.anyOf ?? [property]).filter(({ type }) => type !== "null");
  const found = variants.find((variant) => variant.type !== "array" && variant.type !== "object") ?? variants[0] ?? {};
  return found.$ref ? { ...property, ...(schema.$defs?.[found.$ref.split("/").pop()] ?? {}) } : { ...property, ...found };
}

function controlFor({ type, enum: values, minimum, maximum }) {
  if (values) {
    const control = select([["", "default"], ...values.map((value) => [value, value])], "");
    return { control, read: () => control.value || undefined };
  }
  if (type === "boolean") {
    const control = select([["", "default"], ["true", "yes"], ["false", "no"]], "");
    return { control, read: () => (control.value ? control.value === "true" : undefined) };
  }
  if (type === "integer" || type === "number") {
    const control = h("input", { type: "number", min: minimum, max: maximum, step: type === "integer" ? 1 : "any" });
    return { control, read: () => (control.value === "" ? undefined : Number(control.value)) };
  }
  const control = h("input", { type: "text" });
  return { control, read: () => (control.value === "" ? undefined : parsed(control.value, type)) };
}

function parsed(text, type) {
  if (type === "string" || type === undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
