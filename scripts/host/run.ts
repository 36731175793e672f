/** Entry of the host: runs an app on Node and Chromium as Electron's binary would. README.md says what it is. */
import inspector from 'node:inspector'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createElectron } from './api/electron.ts'
import { windows } from './api/windows.ts'
import { readAppPackage } from './app-package.ts'
import { launchChromium } from './chromium/launch.ts'
import { parseCommandLine } from './command-line.ts'
import { provideElectron } from './electron-module.ts'
import { createJudge, developmentServer } from './judge.ts'
import { createRuntime } from './runtime.ts'
import { Requests } from './scheme/requests.ts'
import { versions } from './versions.ts'
import { Browser, START_PAGE } from './window/browser.ts'
import { startXvfb } from './x11/xvfb.ts'

const executable = join(dirname(fileURLToPath(import.meta.url)), 'electron')
const args = process.argv.slice(2)
const commandLine = parseCommandLine(args)
const runtime = createRuntime({ executable, commandLine, app: readAppPackage(commandLine.appPath) })
const { app, session, module } = createElectron()

becomeElectron()
await run()

/** What a main process finds in `process`. */
function becomeElectron(): void {
  process.argv = [executable, ...args]
  Object.defineProperty(process.versions, 'electron', { value: versions.electron, enumerable: true })
  Object.assign(process, { type: 'browser', resourcesPath: join(runtime.app.path, 'resources'), defaultApp: true })
  provideElectron(module)
  const { switches } = commandLine
  if (switches.has('inspect')) inspector.open(Number(switches.get('inspect') || 9229))
}

async function run(): Promise<void> {
  const require = createRequire(join(process.cwd(), 'electron'))
  for (const file of commandLine.required) require(resolve(file))
  const awaited = new Promise<void>((resolve) => (app.onAwaited = resolve))
  const loaded = import(pathToFileURL(runtime.app.main).href)
  await Promise.race([loaded, awaited])
  // The race has taken a later failure of main for handled: it must end the process as any other.
  void loaded.then(null, (error: unknown) => process.nextTick(() => fail(error)))
  // An app that lost the single-instance lock leaves in its first turn, and must not touch the winner's display.
  if (app.isLeaving()) return
  await startBrowser()
}

function fail(error: unknown): never {
  throw error
}

async function startBrowser(): Promise<void> {
  process.env['DISPLAY'] ||= await startXvfb()
  const chromium = await launchChromium({
    startPage: START_PAGE,
    debuggingPort: commandLine.switches.get('remote-debugging-port'),
    reachable: [developmentServer()?.hostname ?? []].flat(),
    appended: commandLine.switches,
  })
  process.on('exit', chromium.kill)
  runtime.browser = await Browser.start(chromium)
  const { browser } = chromium.connection
  const requests = new Requests(browser, runtime.addresses, createJudge(session), runtime.schemeHandlers)
  await Promise.all([requests.intercept(), browser.send('Browser.setDownloadBehavior', { behavior: 'deny' })])
  runtime.controls.changes.on('online', () => {
    for (const { webContents } of windows) void webContents.applyOnline()
  })
  void chromium.devToolsUrl.then((url) => process.stderr.write(`DevTools listening on ${url}\n`))

  let leaving = false
  const leave = async (exitCode: number): Promise<void> => {
    leaving = true
    await chromium.stop()
    runtime.browser?.display.close()
    process.exit(exitCode)
  }
  void chromium.connection.ended.then(() => {
    if (!leaving) process.exit(1) // Chromium has died
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => app.quit())
  app.becomeReady((exitCode) => void leave(exitCode))
}
