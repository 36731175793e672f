/** Name -> value; an empty value is a switch without one. */
export type Switches = Map<string, string>

const FEATURES_OFF = [
  'BackForwardCache', // a page that comes back from it would keep a stale bridge
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'Translate',
]

/** No sandbox: it doesn't run for root nor in most containers, and this is a development runtime. The rest: no calls home, no throttling, no prompts. */
const OWN = [
  '--no-sandbox',
  '--test-type', // without the bar that warns of --no-sandbox
  '--ozone-platform=x11',
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--disable-session-crashed-bubble',
  '--no-first-run',
  '--no-default-browser-check',
  '--password-store=basic',
  '--force-color-profile=srgb',
  '--allow-file-access-from-files', // loadFile(): module scripts of file: pages
]

/** Switches that decide what the host itself relies on; an app can't set them. */
const RESERVED = new Set([
  'no-sandbox',
  'user-data-dir',
  'remote-debugging-pipe',
  'remote-debugging-port',
  'host-resolver-rules',
  'ozone-platform',
  'app',
])

export interface ChromiumOptions {
  profile: string
  startPage: string
  /** As `--remote-debugging-port` was given; undefined: no port. */
  debuggingPort: string | undefined
  /** Host names that the page may reach, the development server's say. */
  reachable: string[]
  /** What the app appended with app.commandLine. */
  appended: Switches
}

export function chromiumArguments(options: ChromiumOptions): string[] {
  const appended = [...options.appended].filter(([name]) => !RESERVED.has(name) && name !== 'disable-features')
  const featuresOff = [...FEATURES_OFF, ...(options.appended.get('disable-features')?.split(',') ?? [])]
  const excluded = options.reachable.map((host) => `, EXCLUDE ${host}`).join('')
  return [
    ...OWN,
    `--disable-features=${featuresOff.filter(Boolean).join(',')}`,
    `--host-resolver-rules=MAP * ~NOTFOUND${excluded}`,
    ...appended.map(([name, value]) => (value === '' ? `--${name}` : `--${name}=${value}`)),
    `--user-data-dir=${options.profile}`,
    '--remote-debugging-pipe',
    ...(options.debuggingPort === undefined ? [] : [`--remote-debugging-port=${options.debuggingPort}`]),
    `--app=${options.startPage}`,
  ]
}
