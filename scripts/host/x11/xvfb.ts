import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** Starts an X server without a screen on a free display. It ends with its last client, however the host ends. */
export async function startXvfb(): Promise<string> {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-terminate']
  const server = spawn('Xvfb', args, { detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const failed = Promise.race([once(server, 'error'), once(server, 'exit')]).then(() => null)
  const told = await Promise.race([once(server.stdio[3] as Readable, 'data'), failed])
  if (told === null) throw new Error('no DISPLAY is set, and Xvfb does not start')
  server.unref()
  return `:${String(told[0]).trim()}`
}
