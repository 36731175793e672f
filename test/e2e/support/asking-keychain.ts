import { setTimeout as wait } from 'node:timers/promises'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { Display } from '../../../scripts/host/x11/display.ts'
import { padded, Wire, words } from '../../../scripts/host/x11/wire.ts'
import { startXvfb } from '../../../scripts/xvfb.mjs'

/** A keychain that asks the person for its password once it's locked, in GNOME's own prompt (gcr, which gnome-keyring depends on), on a display of its own. */
export interface AskingKeychain {
  env: Readonly<Record<string, string>>
  isAsking(): Promise<boolean>
  /** Waits until it asks. */
  asks(): Promise<void>
  /** As the person does who types the password. */
  answer(): Promise<void>
  /** As the person does who presses Escape. */
  dismiss(): Promise<void>
  stop(): Promise<void>
}

export async function startAskingKeychain(): Promise<AskingKeychain> {
  const xvfb = await startXvfb()
  const name = xvfb.env.DISPLAY
  const keyring = await startKeyring({ display: name })
  const display = await Display.open(name)
  const keyboard = await openKeyboard(name)

  async function isAsking(): Promise<boolean> {
    const windows = await display.windowsOfClass('prompter')
    const shown = await Promise.all(windows.map((window) => display.isViewable(window)))
    return shown.includes(true)
  }
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
      for (const key of keyring.env['KEYRING_PASSWORD'] ?? '') keyboard.press(key.charCodeAt(0))
      keyboard.press(RETURN)
      await until(false)
    },
    async dismiss() {
      await until(true)
      keyboard.press(ESCAPE)
      await until(false)
    },
    async stop() {
      display.close()
      keyboard.close()
      await keyring.stop()
      await xvfb.stop()
    },
  }
}

// Key symbols (X Window System Protocol, appendix A); those of Latin letters and digits are their character codes.
const RETURN = 0xff0d
const ESCAPE = 0xff1b

const QUERY_EXTENSION = 98
const GET_KEYBOARD_MAPPING = 101
/** Of the XTEST extension. */
const FAKE_INPUT = 2
const [KEY_PRESS, KEY_RELEASE] = [2, 3]
const [FIRST, LAST] = [8, 255]

/** Types as a keyboard does, wherever the focus is; keys without Shift alone. */
async function openKeyboard(display: string) {
  const wire = await Wire.open(display, () => undefined)
  const extension = Buffer.from('XTEST')
  const asked = padded(Buffer.concat([Buffer.from([extension.length, 0, 0, 0]), extension]))
  const xtest = (await wire.ask(QUERY_EXTENSION, 0, asked))[9] ?? 0
  const mapping = await wire.ask(GET_KEYBOARD_MAPPING, 0, Buffer.from([FIRST, LAST - FIRST + 1, 0, 0]))
  const perKey = mapping[1] ?? 1
  const codeOf = (symbol: number): number => {
    for (let code = FIRST; code <= LAST; code++) {
      if (mapping.readUInt32LE(32 + 4 * perKey * (code - FIRST)) === symbol) return code
    }
    throw new Error(`no key for ${String(symbol)}`)
  }
  return {
    press(symbol: number): void {
      for (const event of [KEY_PRESS, KEY_RELEASE]) {
        const kind = Buffer.from([event, codeOf(symbol), 0, 0])
        wire.send(xtest, FAKE_INPUT, Buffer.concat([kind, words(0, 0, 0, 0, 0, 0, 0)]))
      }
    },
    close: () => wire.close(),
  }
}
