import type { ErrorCode } from '../../shared/result.ts'
import type { AppUpdate } from '../../shared/update.ts'
import type { Log } from '../log/log.ts'
import { failureCode } from './failure.ts'

/** Uses the update feed. Each call may throw. */
export interface Updater {
  /** Returns the feed's version if it is newer than this one, otherwise null. */
  check(): Promise<string | null>
  download(): Promise<void>
  /** Installs the downloaded version and ends the app. `restart`: true starts the new version. */
  install(restart: boolean): void
}

/** The updater and the functions that stop and restart the app. */
export interface UpdatesOptions {
  /** Called at the first check. Null if there is no feed. */
  load: (() => Promise<Updater>) | null
  after: (ms: number, call: () => void) => () => void
  /** Stops starting requests to the service, and resolves when none is in progress. */
  sendingAtRest: () => Promise<void>
  quit: () => void
  /** Makes this version start again when the app ends. */
  relaunch: () => void
  onChange: () => void
  log: Log
}

/**
 * Checks the feed at the start, once a day and on request. The user decides about download and installation. Before a restart,
 * the request in progress ends; a quit waits no longer than any other quit (docs/sync.md#quitting).
 */
export interface Updates {
  /** Returns the progress of the update, or null if there is no feed. */
  state(): AppUpdate | null
  start(): void
  /** Joins a check in progress. Keeps a version that is being downloaded or is ready to install. */
  check(): Promise<void>
  /** Does nothing if no version was found. */
  download(): Promise<void>
  /** Quits, installs the downloaded version and starts it. Does nothing if none is downloaded. */
  restart(): Promise<void>
  willInstall(): boolean
  /** Installs a downloaded version. Called once everything else is closed. */
  closed(): void
  stop(): void
}

/** Milliseconds between two checks for an update. */
export const CHECK_INTERVAL = 24 * 60 * 60_000
/** Matches no pre-release, such as `1.2.0-beta`. */
const RELEASE = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/

export function createUpdates({ load, after, sendingAtRest, quit, relaunch, onChange, log }: UpdatesOptions): Updates {
  let now: AppUpdate = { state: 'none', error: null }
  let updater: Updater | null = null
  let cancel = () => {}
  let stopped = false

  function setState(next: AppUpdate): void {
    now = next
    onChange()
  }

  function logFailure(doing: 'check' | 'download' | 'install', thrown: unknown): ErrorCode {
    const code = failureCode(thrown)
    log('updateFailed', { doing, code })
    return code
  }

  const willInstall = (): boolean => now.state === 'ready' || now.state === 'restarting'

  let looking: Promise<void> | null = null
  function check(): Promise<void> {
    looking ??= checkOnce().finally(() => (looking = null))
    return looking
  }

  async function checkOnce(): Promise<void> {
    if (load === null || stopped) return
    cancel()
    cancel = after(CHECK_INTERVAL, () => void check())
    if (!canBeReplaced(now)) return
    try {
      updater ??= await load()
      setFound(await updater.check())
    } catch (error) {
      const code = logFailure('check', error)
      // A failed check keeps the version that an earlier check found.
      if (now.state === 'none') setState({ state: 'none', error: code })
    }
  }

  function setFound(version: string | null): void {
    if (!canBeReplaced(now)) return
    if (version === null || !RELEASE.test(version)) return setState({ state: 'none', error: null })
    if (now.state !== 'found' || now.version !== version) log('updateFound', { version })
    setState({ state: 'found', version, error: null })
  }

  return {
    state: () => (load === null ? null : now),
    start: () => void check(),
    check: check,

    async download() {
      if (now.state !== 'found' || updater === null) return
      const { version } = now
      setState({ state: 'downloading', version })
      try {
        await updater.download()
        log('updateReady', { version })
        setState({ state: 'ready', version })
      } catch (error) {
        setState({ state: 'found', version, error: logFailure('download', error) })
      }
    },

    async restart() {
      if (now.state !== 'ready') return
      setState({ state: 'restarting', version: now.version })
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
        logFailure('install', error)
        if (restart) relaunch()
      }
    },

    stop() {
      stopped = true
      cancel()
    },
  }
}

/** A version that is being downloaded, or waits for its installation, is kept. */
const canBeReplaced = ({ state }: AppUpdate): boolean => state === 'none' || state === 'found'
