// @ts-check
/** Starts the built app under Playwright's control, on the runtime that is installed. */
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { _electron } from 'playwright'
import { presentRuntime } from './runtime.mjs'
import { root } from './setup/project.mjs'

const holdReady = fileURLToPath(new URL('hold-ready.mjs', import.meta.url))

/** @param {string} url */
export const isAppPage = (url) => url.startsWith('app://bundle/')

/**
 * The main window's page, once it's there.
 *
 * @param {import('playwright').ElectronApplication} app
 */
export const mainPage = async (app) => {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(30)) {
    const page = app.windows().find((candidate) => isAppPage(candidate.url()))
    if (page === undefined) continue
    // With a listener Playwright leaves the dialog alone; without one it answers the veto of a close.
    page.on('dialog', () => {})
    return page
  }
  throw new Error('the window did not come')
}

/**
 * @param {{ userData: string, env?: Record<string, string>, args?: readonly string[], required?: readonly string[], folder?: string }}
 *   options `env` is laid over ours; `required`: modules that main loads before the app; `folder`: the app's, ours without it
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
 * The same for a start that shows no window.
 *
 * @param {Parameters<typeof launchApp>[0]} options
 */
export const startApp = ({ userData, env = {}, args = [], required = [], folder = root }) => {
  const runtime = presentRuntime()
  return _electron.launch({
    executablePath: runtime.executable,
    args: [
      ...runtime.args,
      // Else Chromium drops keys and clicks until the page's first paint, which a test's own may be ahead of.
      '--allow-pre-commit-input',
      // The texts that are looked for are in English, unless the environment asks for another language.
      ...(env['LANGUAGE'] === undefined ? ['--lang=en'] : []),
      ...[holdReady, ...required].flatMap((file) => ['-r', file]),
      folder,
      `--user-data-dir=${userData}`,
      ...args,
    ],
    cwd: root,
    // The page follows the desktop's preference; Playwright would give it a light one.
    colorScheme: null,
    env: /** @type {Record<string, string>} */ ({ ...process.env, ...env }),
  })
}

/**
 * Quits the app as a person would, and ends it where it doesn't.
 *
 * @param {import('playwright').ElectronApplication} app
 */
export const quitApp = async (app) => {
  const process = app.process()
  const timer = setTimeout(() => process.kill('SIGKILL'), 15_000)
  await app.close().catch(() => process.kill('SIGKILL'))
  clearTimeout(timer)
}
