import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { startXvfb } from '../../../scripts/xvfb.mjs'

const run = promisify(execFile)

/** A keychain that, once it is locked, asks for its password in the prompt of gnome-keyring, on its own display. */
export interface AskingKeychain {
  env: Readonly<Record<string, string>>
  isAsking(): Promise<boolean>
  asks(): Promise<void>
  /** Waits for the prompt, types the password, and waits until the prompt is closed. */
  answer(): Promise<void>
  /** Waits for the prompt, presses Escape, and waits until the prompt is closed. */
  dismiss(): Promise<void>
  stop(): Promise<void>
}

export async function startAskingKeychain(): Promise<AskingKeychain> {
  const xvfb = await startXvfb()
  const keyring = await startKeyring({ display: xvfb.env.DISPLAY })
  const xdotool = (...args: string[]) => run('xdotool', args, { env: { ...process.env, ...xvfb.env } })

  // xdotool fails if it finds no window.
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
