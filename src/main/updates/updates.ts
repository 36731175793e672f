import type { ErrorCode } from '../../shared/result.ts'
import type { Update } from '../../shared/update.ts'
import type { Log } from '../log/log.ts'
import { failureCode } from './failure.ts'

/** What asks the feed, fetches from it and installs; each may throw. */
export interface Updater {
  /** The version that the feed has, where that is newer than this one. */
  check(): Promise<string | null>
  /** Fetches it and verifies it. */
  download(): Promise<void>
  /** Begins to install what was fetched, and ends the app; `restart`: the new one starts. */
  install(restart: boolean): void
}

export interface UpdatesParts {
  /** Null: no feed. Called once, at the first check. */
  load: (() => Promise<Updater>) | null
  after: (ms: number, call: () => void) => () => void
  /** No request begins from here on; resolves when none is under way. */
  sendingAtRest: () => Promise<void>
  quit: () => void
  /** Starts this version again, once it has ended. */
  relaunch: () => void
  onChange: () => void
  log: Log
}

/**
 * Newer versions of the app: looked for at the start, once a day and when the person asks, fetched and installed at the person's word alone,
 * and never while a change is being sent: a restart waits for that, a quit as long as any does (docs/sync.md#quitting).
 */
export interface Updates {
  /** Null: there is no feed. */
  state(): Update | null
  start(): void
  /** Looks now, once at a time; resolves when that has ended. */
  check(): Promise<void>
  download(): Promise<void>
  restart(): Promise<void>
  /** Whether the app ends into a newer version. */
  willInstall(): boolean
  /** Everything of the app is closed: what is ready is installed. */
  closed(): void
  stop(): void
}

/** Milliseconds. */
export const DAY = 24 * 60 * 60_000
/** A release: what comes before one (`1.2.0-beta`) isn't for everybody. */
const RELEASE = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/

export function createUpdates({ load, after, sendingAtRest, quit, relaunch, onChange, log }: UpdatesParts): Updates {
  let now: Update = { state: 'none', error: null }
  let updater: Updater | null = null
  let cancel = () => {}
  let stopped = false

  function become(next: Update): void {
    now = next
    onChange()
  }

  function failed(doing: 'check' | 'download' | 'install', thrown: unknown): ErrorCode {
    const code = failureCode(thrown)
    log('updateFailed', { doing, code })
    return code
  }

  const willInstall = (): boolean => now.state === 'ready' || now.state === 'restarting'

  let looking: Promise<void> | null = null
  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = null))
    return looking
  }

  async function lookOnce(): Promise<void> {
    if (load === null || stopped) return
    cancel()
    cancel = after(DAY, () => void look())
    // What is being fetched or waits to be installed is enough.
    if (!isOpen(now)) return
    try {
      updater ??= await load()
      took(await updater.check())
    } catch (error) {
      const code = failed('check', error)
      // What was found before is still to be had.
      if (now.state === 'none') become({ state: 'none', error: code })
    }
  }

  function took(version: string | null): void {
    if (!isOpen(now)) return
    if (version === null || !RELEASE.test(version)) return become({ state: 'none', error: null })
    if (now.state !== 'found' || now.version !== version) log('updateFound', { version })
    become({ state: 'found', version, error: null })
  }

  return {
    state: () => (load === null ? null : now),
    start: () => void look(),
    check: look,

    async download() {
      if (now.state !== 'found' || updater === null) return
      const { version } = now
      become({ state: 'downloading', version })
      try {
        await updater.download()
        log('updateReady', { version })
        become({ state: 'ready', version })
      } catch (error) {
        become({ state: 'found', version, error: failed('download', error) })
      }
    },

    async restart() {
      if (now.state !== 'ready') return
      become({ state: 'restarting', version: now.version })
      await sendingAtRest()
      quit()
    },

    willInstall,

    closed() {
      if (updater === null || !willInstall()) return
      const restart = now.state === 'restarting'
      try {
        updater.install(restart)
      } catch (error) {
        failed('install', error)
        if (restart) relaunch()
      }
    },

    stop() {
      stopped = true
      cancel()
    },
  }
}

/** Whether what the feed has may still change it. */
const isOpen = ({ state }: Update): boolean => state === 'none' || state === 'found'
