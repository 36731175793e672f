import { z } from 'zod'

const markSchema = z.object({
  /** Start of the run, in milliseconds since 1970. */
  at: z.number(),
  /** The system's id of the login session, or null if unknown. */
  session: z.string().nullable(),
})
type Mark = z.infer<typeof markSchema>

/** The operating system, the times of now and of its start, and where the mark is stored. */
export interface RunningMarkOptions {
  platform: NodeJS.Platform
  env: NodeJS.ProcessEnv
  /** Milliseconds since 1970. */
  now: number
  /** When the computer was started, in milliseconds since 1970. */
  bootedAt: number
  note: { read: () => unknown; write: (mark: Mark | null) => void }
}

/** A mark on disk while the app runs. A start that finds it detects a native crash or an out-of-memory kill. */
export interface RunningMark {
  /** True if the last run ended unexpectedly, and not by a logout or a shutdown. Always false on Windows. */
  endedUnexpectedly: boolean
  /** Called when the app quits normally. */
  clear(): void
}

export function createRunningMark({ platform, env, now, bootedAt, note }: RunningMarkOptions): RunningMark {
  // Windows ends an app at logout without notice if only its tray icon is shown
  // (https://github.com/electron/electron/issues/21093), so a mark would be misleading there.
  if (platform === 'win32') return { endedUnexpectedly: false, clear: () => undefined }
  const session = env['XDG_SESSION_ID'] ?? null
  const left = markSchema.safeParse(note.read()).data
  note.write({ at: now, session })
  return {
    endedUnexpectedly: left !== undefined && left.at > bootedAt && left.session === session,
    clear: () => note.write(null),
  }
}
