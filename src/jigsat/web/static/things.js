// Named things in the entries of a puzzle, such as tiles, pieces and guests, in the order of the
// file.
//
// JavaScript moves keys that look like numbers to the front of an object, and so does JSON that it
// reads. So messages give the order of the names as well, and in the page the things are a Map.

/** The names and the values of things, in order. */
export const pairsOf = (things) => (things instanceof Map ? [...things] : Object.entries(things));
export const namesOf = (things) => pairsOf(things).map(([name]) => name);
export const valuesOf = (things) => pairsOf(things).map(([, value]) => value);
export const thingOf = (things, name) =>
  things instanceof Map ? things.get(name) : things?.[name];

/** An object as a Map, which keeps its order when things are renamed; anything else as it is. */
export const ordered = (value) =>
  value && typeof value === "object" && !Array.isArray(value) ? new Map(pairsOf(value)) : value;

/** Pairs as what they come from: a Map, or an object. */
export const like = (before, pairs) =>
  before instanceof Map ? new Map(pairs) : Object.fromEntries(pairs);

/** The things with another value for a name. */
export const withThing = (things, name, value) => new Map([...pairsOf(things), [name, value]]);

/** The entries of a message, with a Map for each entry that it gives an order of. */
export function entriesOf({ data, order = {} }) {
  const ordered = Object.entries(order).map(([entry, names]) => [
    entry,
    new Map(names.map((name) => [name, data[entry][name]])),
  ]);
  return { ...data, ...Object.fromEntries(ordered) };
}

/** Entries as a message: plain objects, and the order of the names in those that were Maps. */
export function messageOf(entries) {
  const maps = Object.entries(entries).filter(([, value]) => value instanceof Map);
  const plain = maps.map(([entry, things]) => [entry, Object.fromEntries(things)]);
  const order = maps.map(([entry, things]) => [entry, [...things.keys()]]);
  return { data: { ...entries, ...Object.fromEntries(plain) }, order: Object.fromEntries(order) };
}
