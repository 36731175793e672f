import { z } from 'zod'

const markSchema = z.object({
  /** When that run began, in milliseconds since 1970. */
  at: z.number(),
  /** What the system calls the login that it ran in; null: it doesn't say. */
  session: z.string().nullable(),
})
type Mark = z.infer<typeof markSchema>

export interface RunningMarkParts {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  /** Milliseconds since 1970: now, and when the computer was started. */
  now: number
  bootedAt: number
  note: { read: () => unknown; write: (mark: Mark | null) => void }
}

/** Stands on disk as long as the app runs: an end by a fault of its runtime or for want of memory leaves no other word. */
export interface RunningMark {
  /** Whether the last run ended without an order. What ended with its login, or with the computer, isn't told from that. */
  wasCutShort: boolean
  /** The app ends in order. */
  clear(): void
}

/** Reads what the last run left, and marks this one. */
export function createRunningMark({ platform, env, now, bootedAt, note }: RunningMarkParts): RunningMark {
  // Windows ends an app at a logout without a word, and where nothing but the tray is shown there's nobody to hear of it
  // (https://github.com/electron/electron/issues/21093).
  if (platform === 'win32') return { wasCutShort: false, clear: () => undefined }
  const session = env['XDG_SESSION_ID'] ?? null
  const left = markSchema.safeParse(note.read()).data
  note.write({ at: now, session })
  return {
    wasCutShort: left !== undefined && left.at > bootedAt && left.session === session,
    clear: () => note.write(null),
  }
}
