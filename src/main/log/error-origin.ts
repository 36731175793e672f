/** What may be said of a thrown value: its kind and where it came from. Its message may repeat what a person typed. */
export interface Blame {
  error: string
  /** The code of Node and of SQLite, such as `ECONNRESET`. */
  code: string | null
  /** Places in the program's own files, the innermost first: `index.js:12:7`. */
  at: string[]
}

const FRAMES = 6
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,40}$/
const FRAME = /^ {4}at .*?([\w-]{1,40}\.[cm]?js:\d+:\d+)\)?$/

export function blame(thrown: unknown): Blame {
  if (!(thrown instanceof Error)) return { error: typeof thrown, code: null, at: [] }
  const { name } = thrown.constructor
  return {
    error: NAME.test(name) ? name : 'Error',
    code: 'code' in thrown && typeof thrown.code === 'string' && NAME.test(thrown.code) ? thrown.code : null,
    at: placesOf(thrown),
  }
}

/** A message may have lines that look like frames: it stands before the real ones, and is left out whole. */
function placesOf({ stack = '', message }: Error): string[] {
  const from = stack.indexOf(message)
  if (from < 0) return []
  const frames = stack.slice(from + message.length).split('\n')
  return frames.flatMap((line) => FRAME.exec(line)?.[1] ?? []).slice(0, FRAMES)
}
