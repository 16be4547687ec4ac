// Understanding: the variables and constraint groups of the encoding.

export function understandPanel() {
  return {};
}
