/** What the log says about an error. Leaves out the error's message, which may repeat what a user typed. */
export interface ErrorOrigin {
  error: string
  /** Error code of Node or SQLite, such as `ECONNRESET`. */
  code: string | null
  /** Places in the app's own bundles, innermost first, such as `index.js:12:7`. */
  at: string[]
}

const FRAMES = 6
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,40}$/
/** A line of a stack that is in a bundle of the app. */
const FRAME = /^ {4}at .*?([\w-]{1,40}\.[cm]?js:\d+:\d+)\)?$/

/** Returns what the log may say about a thrown value. */
export function errorOriginOf(thrown: unknown): ErrorOrigin {
  if (!(thrown instanceof Error)) return { error: typeof thrown, code: null, at: [] }
  const { name } = thrown.constructor
  return {
    error: NAME.test(name) ? name : 'Error',
    code: 'code' in thrown && typeof thrown.code === 'string' && NAME.test(thrown.code) ? thrown.code : null,
    at: placesOf(thrown),
  }
}

/** Skips the message before the frames, because it may have lines that look like frames. */
function placesOf({ stack = '', message }: Error): string[] {
  const from = stack.indexOf(message)
  if (from < 0) return []
  const frames = stack.slice(from + message.length).split('\n')
  return frames.flatMap((line) => FRAME.exec(line)?.[1] ?? []).slice(0, FRAMES)
}
