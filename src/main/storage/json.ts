/** Parses a JSON column. Returns undefined if the text is damaged. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
