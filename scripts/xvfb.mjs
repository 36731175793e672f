// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const lacksDisplay = (platform = process.platform, env = process.env) =>
  platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']

/** @returns {Promise<{ env: { DISPLAY: string }, stop: () => Promise<void> }>} */
export const startXvfb = async () => {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'close')
  const displayOutput = /** @type {import('node:stream').Readable} */ (server.stdio[3])
  const number = await Promise.race([once(displayOutput, 'data'), ended.then(() => null)])
  if (!number) throw new Error('Xvfb did not start')
  const stop = async () => {
    server.kill()
    await ended
  }
  return { env: { DISPLAY: `:${String(number[0]).trim()}` }, stop }
}
