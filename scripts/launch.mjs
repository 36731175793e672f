// @ts-check
/** Starts the built app with the installed runtime, under Playwright's control. */
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { _electron } from 'playwright'
import { presentRuntime } from './runtime.mjs'
import { root } from './setup/project.mjs'

const holdReady = fileURLToPath(new URL('hold-ready.mjs', import.meta.url))

/** @param {string} url */
export const isAppPage = (url) => url.startsWith('app://bundle/')

/**
 * @param {import('playwright').ElectronApplication} app
 * @throws {Error} if there is none after 30 seconds
 */
export const mainPage = async (app) => {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(30)) {
    const page = app.windows().find((candidate) => isAppPage(candidate.url()))
    if (page === undefined) continue
    // Without a listener, Playwright would answer the dialog that asks before the window closes.
    page.on('dialog', () => {})
    return page
  }
  throw new Error('the window did not come')
}

/**
 * @param {{
 *   userData: string,
 *   env?: Record<string, string>,
 *   args?: readonly string[],
 *   required?: readonly string[],
 *   folder?: string,
 * }} options `env` is added to the environment of this process; `required`: modules that main loads before the app; `folder`:
 *   that of the app, by default this project
 * @returns {Promise<{ app: import('playwright').ElectronApplication, page: import('playwright').Page }>} the page is the
 *   main window's
 */
export const launchApp = async (options) => {
  const app = await startApp(options)
  const page = await mainPage(app).catch(async (error) => {
    await quitApp(app)
    throw error
  })
  return { app, page }
}

/**
 * Starts the app like {@link launchApp}, but does not wait for its window, because the app may start without one.
 *
 * @param {Parameters<typeof launchApp>[0]} options
 */
export const startApp = async (options) =>
  withKeptResults(await _electron.launch(launchOptions(presentRuntime(), options)))

/**
 * Makes `app.evaluate` run its functions from a timer. V8 may collect the result of a function that returns at once
 * before Playwright gets it ("Resulting promise was garbage collected"), most often while the app starts.
 *
 * @param {import('playwright').ElectronApplication} app
 */
const withKeptResults = (app) => {
  const evaluate = app.evaluate.bind(app)
  /** @type {(run: unknown, arg?: unknown) => Promise<unknown>} */
  const evaluateKept = (run, arg) =>
    evaluate(
      async (electron, { source, arg }) => {
        await new Promise((resolve) => setTimeout(resolve))
        return (0, eval)(`(${source})`)(electron, arg)
      },
      { source: String(run), arg },
    )
  app.evaluate = /** @type {typeof app.evaluate} */ (evaluateKept)
  return app
}

/**
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {Parameters<typeof launchApp>[0]} options
 */
export const launchOptions = (runtime, { userData, env = {}, args = [], required = [], folder = root }) => ({
  executablePath: runtime.executable,
  args: [
    ...runtime.args,
    // Otherwise Chromium drops keys and clicks before the first paint of the page.
    '--allow-pre-commit-input',
    // Tests look for English texts, unless the environment sets another language.
    ...(env['LANGUAGE'] === undefined ? ['--lang=en'] : []),
    ...[holdReady, ...required].flatMap((file) => ['-r', file]),
    folder,
    `--user-data-dir=${userData}`,
    ...args,
  ],
  // Otherwise Playwright switches the sandbox off for every user.
  chromiumSandbox: !runtime.args.includes('--no-sandbox'),
  cwd: root,
  // The page uses the desktop's color scheme, which Playwright would replace by the light one.
  colorScheme: null,
  env: /** @type {Record<string, string>} */ ({ ...process.env, ...env }),
})

/**
 * Quits the app as a user does, and ends the process if that doesn't work.
 *
 * @param {import('playwright').ElectronApplication} app
 */
export const quitApp = async (app) => {
  const process = app.process()
  const timer = setTimeout(() => process.kill('SIGKILL'), 15_000)
  await app.close().catch(() => process.kill('SIGKILL'))
  clearTimeout(timer)
}
