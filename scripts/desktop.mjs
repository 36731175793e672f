// @ts-check
/** A desktop for the tests: an X display with a window manager, so that windows are focused, maximized and minimized. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startXvfb } from './xvfb.mjs'

/**
 * @returns {Promise<{ env: { DISPLAY: string }, stop: () => Promise<void> }>} `env`: variables to add to the environment of
 *   the programs that run on the display
 * @throws {Error} if the display or the window manager does not start
 */
export const startDesktop = async () => {
  const xvfb = await startXvfb()
  // openbox reads none of the user's settings, and prints `ready` once it manages windows.
  const args = ['--sm-disable', '--config-file', '/etc/xdg/openbox/rc.xml', '--startup', 'echo ready']
  const manager = spawn('openbox', args, { env: { ...process.env, ...xvfb.env }, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => manager.once('close', resolve).once('error', resolve))
  const stop = async () => {
    manager.kill()
    await ended
    await xvfb.stop()
  }
  if (await Promise.race([once(manager.stdout, 'data'), ended.then(() => null)])) return { env: xvfb.env, stop }
  await stop()
  throw new Error('The window manager (openbox) did not start.')
}
