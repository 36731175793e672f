/** Characters: some twenty times what ten thousand edits take. */
const MAX_TEXT = 128 * 1024 * 1024
/** Characters of one row, which is parsed in one go: a record as large as an answer may be takes half of it. */
const MAX_ROW = 16 * 1024 * 1024
/** Objects and lists within each other: ours are seven deep, and what a service adds to a record may be deeper. */
const MAX_DEPTH = 100
/** Characters that are looked through, or parsed, in a few milliseconds. */
const SLICE = 128 * 1024

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** An object's text in parts: `frame` has in the place of each list the number of its pieces in `lists`. */
interface Parts {
  frame: string
  lists: string[][]
}

/**
 * Parses a stranger's text of an object whose lists may be long, as JSON.parse does; undefined: it's no such text, or too
 * much of it, in all or in one row, or too deep. Between slices of it others get their turn (`pause`).
 *
 *     {"version":1,"edits":[…,…,…]}  ->  {"version":1,"edits":[0]} and of list 0 the pieces …,… and …
 */
export async function parseInSlices(text: string, pause: () => Promise<void>): Promise<object | undefined> {
  if (text.length > MAX_TEXT) return undefined
  try {
    const parts = await takeApart(text, pause)
    const frame: unknown = parts === null ? null : JSON.parse(parts.frame)
    if (parts === null || typeof frame !== 'object' || frame === null || Array.isArray(frame)) return undefined
    const lists: unknown[] = []
    for (const pieces of parts.lists) lists.push(await parseList(pieces, pause))
    return Object.fromEntries(
      Object.entries(frame).map(([name, value]) => [name, Array.isArray(value) ? lists[Number(value[0])] : value]),
    )
  } catch {
    return undefined
  }
}

/** Null: it isn't JSON, or deeper or longer than that; before it's parsed, as depth without end would exhaust the stack. */
async function takeApart(text: string, pause: () => Promise<void>): Promise<Parts | null> {
  const parts: Parts = { frame: '', lists: [] }
  let [depth, quoted, inList] = [0, false, false]
  /** Up to here it's in a part. */
  let taken = 0
  let turn = SLICE
  for (let at = 0; at < text.length; at++) {
    if (at >= turn) {
      if (inList && at - taken > MAX_ROW) return null
      await pause()
      turn += SLICE
    }
    const char = text.charCodeAt(at)
    if (quoted && char === BACKSLASH) at += 1
    else if (char === QUOTE) quoted = !quoted
    else if (quoted) continue
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return null
      if (char === OPEN_OBJECT || depth !== 2) continue
      inList = true
      parts.frame += text.slice(taken, at + 1) + String(parts.lists.push([]) - 1)
      taken = at + 1
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) {
      depth -= 1
      if (!inList || depth !== 1) continue
      inList = false
      parts.lists.at(-1)?.push(text.slice(taken, at))
      taken = at
    } else if (char === COMMA && inList && depth === 2 && at - taken >= SLICE) {
      parts.lists.at(-1)?.push(text.slice(taken, at))
      taken = at + 1
    }
  }
  parts.frame += text.slice(taken)
  return quoted || inList ? null : parts
}

/** @throws {SyntaxError} it's no list */
async function parseList(pieces: string[], pause: () => Promise<void>): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const piece of pieces) {
    if (pieces.length > 1) await pause()
    const some = JSON.parse(`[${piece}]`) as unknown[]
    // A comma was beside it.
    if (some.length === 0 && pieces.length > 1) throw new SyntaxError('an empty place')
    for (const row of some) rows.push(row)
  }
  return rows
}
