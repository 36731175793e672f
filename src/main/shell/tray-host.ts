import { execFile } from 'node:child_process'

/** Resolves to true if a panel of the desktop shows tray icons; null if unknown. */
export type AskForTrayPanel = () => Promise<boolean | null>

/** Checks if the desktop shows tray icons, and remembers the last result. */
export interface TrayPanelCheck {
  ask: AskForTrayPanel
  /** The last result; undefined before the first one. */
  lastAnswer(): Awaited<ReturnType<AskForTrayPanel>> | undefined
}

/** The name, method and property on the session bus by which a panel announces that it shows tray icons. */
const WATCHER = 'org.kde.StatusNotifierWatcher'
const GET = 'org.freedesktop.DBus.Properties.Get'
const HAS_HOST = 'IsStatusNotifierHostRegistered'
/** Milliseconds. A session bus answers within a few. */
const TIMEOUT = 2_000

const GDBUS_CALL = 'gdbus call --session'

/** The same query as a command of two programs: that of GLib and that of D-Bus. */
const queries = [
  `${GDBUS_CALL} --dest ${WATCHER} --object-path /StatusNotifierWatcher --method ${GET} ${WATCHER} ${HAS_HOST}`,
  `dbus-send --session --print-reply --dest=${WATCHER} /StatusNotifierWatcher ${GET} string:${WATCHER} string:${HAS_HOST}`,
]

/**
 * macOS and Windows always show tray icons. On Linux, panels announce on the session bus that they do (StatusNotifierItem);
 * Electron has no API for it (https://github.com/electron/electron/issues/5872). Panels that only support X11's older protocol
 * count as none.
 */
export function createTrayPanelCheck(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): TrayPanelCheck {
  if (platform !== 'linux') return { ask: async () => true, lastAnswer: () => true }
  let answer: boolean | null | undefined
  return {
    ask: async () => (answer = await askBus(env)),
    lastAnswer: () => answer,
  }
}

/** Returns the answer of the first program that is installed; null if none is, or the answer is unclear. */
async function askBus(env: NodeJS.ProcessEnv): Promise<boolean | null> {
  for (const query of queries) {
    const answer = await runQuery(query, env)
    if (answer !== 'no such program') return answer
  }
  return null
}

/**
 * Resolves to true or false, as the program answers. Resolves to null if the answer is unclear, and to 'no such program' if the
 * program isn't installed.
 */
function runQuery(command: string, env: NodeJS.ProcessEnv) {
  const [program = '', ...args] = command.split(' ')
  const { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS } = env
  return new Promise<boolean | null | 'no such program'>((resolve) => {
    // Without a display, the program starts no bus of its own. The library path of an AppImage is left out too.
    const options = { env: { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS }, timeout: TIMEOUT }
    execFile(program, args, options, (error, answer, complaint) => {
      if (error?.code === 'ENOENT') resolve('no such program')
      // A session that is still starting may not answer in time. Counts as no panel, so that deferred-tray.ts asks again.
      else if (error?.killed === true) resolve(false)
      else if (/ServiceUnknown|NameHasNoOwner/.test(complaint)) resolve(false)
      else resolve(/\btrue\b/.test(answer) || (/\bfalse\b/.test(answer) ? false : null))
    })
  })
}
