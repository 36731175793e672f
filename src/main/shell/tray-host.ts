import { execFile } from 'node:child_process'

/** Whether a panel shows icons just now; null: it can't be told. */
export type TrayHost = () => Promise<boolean | null>

export interface Panels {
  ask: TrayHost
  /** What was answered last; undefined: nothing so far. */
  answer(): Awaited<ReturnType<TrayHost>> | undefined
}

const WATCHER = 'org.kde.StatusNotifierWatcher'
const GET = 'org.freedesktop.DBus.Properties.Get'
const HAS_HOST = 'IsStatusNotifierHostRegistered'
/** Milliseconds: a session's bus answers within a few. */
const PATIENCE = 2_000

/** The same question by whichever program the desktop has, GLib's or the bus' own. */
const questions: readonly [program: string, args: readonly string[]][] = [
  [
    'gdbus',
    [
      'call',
      '--session',
      '--dest',
      WATCHER,
      '--object-path',
      '/StatusNotifierWatcher',
      '--method',
      GET,
      WATCHER,
      HAS_HOST,
    ],
  ],
  [
    'dbus-send',
    [
      '--session',
      '--print-reply',
      `--dest=${WATCHER}`,
      '/StatusNotifierWatcher',
      GET,
      `string:${WATCHER}`,
      `string:${HAS_HOST}`,
    ],
  ],
]

/**
 * macOS and Windows always show icons. On Linux panels say on the session's bus that they do (StatusNotifierItem,
 * "StatusNotifierWatcher"); Electron doesn't tell (https://github.com/electron/electron/issues/5872). Panels that show
 * icons in X11's older way alone are taken for none.
 */
export function createPanels(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Panels {
  if (platform !== 'linux') return { ask: async () => true, answer: () => true }
  let answer: boolean | null | undefined
  return {
    ask: async () => (answer = await askBus(env)),
    answer: () => answer,
  }
}

async function askBus(env: NodeJS.ProcessEnv): Promise<boolean | null> {
  for (const [program, args] of questions) {
    const told = await ask(program, args, env)
    if (told !== 'no such program') return told
  }
  return null
}

function ask(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS } = env
  return new Promise<boolean | null | 'no such program'>((resolve) => {
    // Without a display no other bus is started for it, and without the rest no AppImage's libraries get in its way.
    const options = { env: { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS }, timeout: PATIENCE }
    execFile(program, args, options, (error, answer, complaint) => {
      if (error?.code === 'ENOENT') resolve('no such program')
      // As in a session that is only starting.
      else if (error?.killed === true) resolve(false)
      else if (/ServiceUnknown|NameHasNoOwner/.test(complaint)) resolve(false)
      else resolve(/\btrue\b/.test(answer) || (/\bfalse\b/.test(answer) ? false : null))
    })
  })
}
