/** What a column holds; undefined where a damaged file has something else there. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
