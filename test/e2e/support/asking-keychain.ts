import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { startXvfb } from '../../../scripts/xvfb.mjs'

const run = promisify(execFile)

/** A keychain that asks for its password once it's locked: in gcr's prompt, which gnome-keyring depends on, on a display of its own. */
export interface AskingKeychain {
  env: Readonly<Record<string, string>>
  isAsking(): Promise<boolean>
  /** Waits until it asks. */
  asks(): Promise<void>
  /** Types the password. */
  answer(): Promise<void>
  /** Presses Escape. */
  dismiss(): Promise<void>
  stop(): Promise<void>
}

export async function startAskingKeychain(): Promise<AskingKeychain> {
  const xvfb = await startXvfb()
  const keyring = await startKeyring({ display: xvfb.env.DISPLAY })
  const xdotool = (...args: string[]) => run('xdotool', args, { env: { ...process.env, ...xvfb.env } })

  // It fails if it finds no window.
  const isAsking = (): Promise<boolean> =>
    xdotool('search', '--onlyvisible', '--class', 'prompter').then(
      ({ stdout }) => stdout.trim() !== '',
      () => false,
    )
  async function until(asking: boolean): Promise<void> {
    for (const deadline = Date.now() + 20_000; (await isAsking()) !== asking; await wait(50)) {
      if (Date.now() > deadline) throw new Error(asking ? 'the prompt does not come' : 'the prompt stays')
    }
  }

  return {
    env: keyring.env,
    isAsking,
    asks: () => until(true),
    async answer() {
      await until(true)
      await xdotool('type', keyring.env['KEYRING_PASSWORD'] ?? '')
      await xdotool('key', 'Return')
      await until(false)
    },
    async dismiss() {
      await until(true)
      await xdotool('key', 'Escape')
      await until(false)
    },
    async stop() {
      await keyring.stop()
      await xvfb.stop()
    },
  }
}
