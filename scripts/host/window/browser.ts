import { setTimeout as after } from 'node:timers/promises'
import type { Chromium } from '../chromium/launch.ts'
import type { TargetInfo } from '../chromium/protocol.ts'
import { Display, type Bounds } from '../x11/display.ts'
import { NativeWindow } from './native-window.ts'

/** Marks our windows on a display that others may share: Chromium makes WM_CLASS of the address of an app window. */
const MARK = `electron-host-${process.pid}`
export const START_PAGE = `data:text/html,<title>${MARK}</title>`

/**
 * One Chromium. Its first window is the opener: never shown, it opens every other one as a popup, which gives windows
 * without tabs and address bar, and keeps Chromium running without any.
 */
export class Browser {
  readonly chromium: Chromium
  readonly display: Display
  readonly #opener: { targetId: string; xid: number }
  readonly #windows = new Map<string, NativeWindow>()
  #expected: ((target: TargetInfo) => void) | null = null
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(chromium: Chromium, display: Display, opener: { targetId: string; xid: number }) {
    this.chromium = chromium
    this.display = display
    this.#opener = opener
  }

  static async start(chromium: Chromium): Promise<Browser> {
    const session = chromium.connection.browser
    const display = await Display.open(process.env['DISPLAY'] ?? '')
    const xid = await windowOf(display, () => true)
    await display.hide(xid)
    const { targetInfos } = await session.send('Target.getTargets')
    const opener = targetInfos.find(({ type, url }) => type === 'page' && url.includes(MARK))
    if (opener === undefined) throw new Error('Chromium opened no window')
    const browser = new Browser(chromium, display, { targetId: opener.targetId, xid })
    await browser.#watchTargets()
    return browser
  }

  /** One after the other: a new window is known by the opener having asked for it. */
  open(bounds: Bounds): Promise<NativeWindow> {
    const opened = this.#turn.then(() => this.#open(bounds))
    // Without the window: it may be gone long before the next one is opened.
    this.#turn = opened.then(
      () => undefined,
      () => undefined,
    )
    return opened
  }

  async #open({ x, y, width, height }: Bounds): Promise<NativeWindow> {
    const { connection } = this.chromium
    const target = new Promise<TargetInfo>((resolve) => (this.#expected = resolve))
    const features = `noopener,popup,left=${x},top=${y},width=${width},height=${height}`
    const opener = await connection.attach(this.#opener.targetId)
    const expression = `void window.open('about:blank', '_blank', '${features}')`
    await opener.send('Runtime.evaluate', { expression, userGesture: true })
    const { targetId } = await target
    connection.detach(opener)
    const session = await connection.attach(targetId)
    const known = new Set([this.#opener.xid, ...[...this.#windows.values()].map((window) => window.xid)])
    const xid = await windowOf(this.display, (candidate) => !known.has(candidate))
    const window = await NativeWindow.create({
      browser: connection.browser,
      session,
      targetId,
      display: this.display,
      xid,
    })
    this.#windows.set(targetId, window)
    return window
  }

  async #watchTargets(): Promise<void> {
    const session = this.chromium.connection.browser
    session.on('Target.targetCreated', ({ targetInfo }) => this.#created(targetInfo))
    session.on('Target.targetDestroyed', ({ targetId }) => {
      this.#windows.get(targetId)?.ended()
      this.#windows.delete(targetId)
    })
    await session.send('Target.setDiscoverTargets', { discover: true })
  }

  /** What nobody here asked for is closed at once: Ctrl+N, Ctrl+T, links with a target. */
  #created({ type, targetId, ...target }: TargetInfo): void {
    if (type !== 'page' || targetId === this.#opener.targetId || this.#windows.has(targetId)) return
    const expected = this.#expected
    this.#expected = null
    if (expected) expected({ type, targetId, ...target })
    else this.chromium.connection.browser.tell('Target.closeTarget', { targetId })
  }
}

async function windowOf(display: Display, isIt: (xid: number) => boolean): Promise<number> {
  for (;;) {
    const xid = (await display.windowsOfClass(MARK)).find(isIt)
    if (xid !== undefined) return xid
    await after(3)
  }
}
