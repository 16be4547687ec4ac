// Lists that are kept in this browser, or in this tab with `sessionStorage`.

export function readList(key, storage = localStorage) {
  try {
    const kept = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export function writeList(key, list, storage = localStorage) {
  try {
    storage.setItem(key, JSON.stringify(list));
  } catch {
    // without storage, the link still holds the puzzle and what was played
  }
}
