import { EventEmitter } from 'node:events'
import type { Session } from '../chromium/connection.ts'
import type { Bounds, Display } from '../x11/display.ts'

interface Parts {
  browser: Session
  session: Session
  targetId: string
  display: Display
  xid: number
}

interface Events {
  closed: []
  focus: []
  blur: []
  bounds: []
  crashed: []
}

/** A window of Chromium's: its place on the screen, and how it goes. */
export class NativeWindow extends EventEmitter<Events> {
  readonly session: Session
  readonly targetId: string
  readonly xid: number
  /** Asked when somebody else than the app closes the window: its title bar, Ctrl+W, a debugger. */
  mayClose: () => boolean = () => true
  readonly #browser: Session
  readonly #display: Display
  #leaving = false
  #destroying = false

  private constructor(parts: Parts) {
    super()
    this.session = parts.session
    this.targetId = parts.targetId
    this.xid = parts.xid
    this.#browser = parts.browser
    this.#display = parts.display
  }

  static async create(parts: Parts): Promise<NativeWindow> {
    const window = new NativeWindow(parts)
    window.#answerDialogs()
    window.#armBeforeUnload()
    parts.session.on('Inspector.targetCrashed', () => window.emit('crashed'))
    parts.display.watch(parts.xid, (change) => window.emit(change))
    await Promise.all([parts.session.send('Page.enable'), parts.session.send('Inspector.enable')])
    return window
  }

  bounds(): Promise<Bounds> {
    return this.#display.bounds(this.xid)
  }

  setBounds(bounds: Bounds): Promise<void> {
    return this.#display.setBounds(this.xid, bounds)
  }

  hide(): Promise<void> {
    return this.#display.hide(this.xid)
  }

  show(): Promise<void> {
    return this.#display.show(this.xid)
  }

  async focus(): Promise<void> {
    await this.#display.focus(this.xid)
    await this.session.send('Page.bringToFront')
  }

  blur(): Promise<void> {
    return this.#display.focusNothing()
  }

  async setBackground(hex: string): Promise<void> {
    const [r = 255, g = 255, b = 255] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
    await this.session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r, g, b, a: 1 } })
  }

  setTitle(title: string): Promise<void> {
    return this.#display.setTitle(this.xid, title)
  }

  isFocused(): Promise<boolean> {
    return this.#display.hasFocus(this.xid)
  }

  isOnScreen(): Promise<boolean> {
    return this.#display.isViewable(this.xid)
  }

  /** What a person does with the title bar. */
  requestClose(): Promise<void> {
    return this.#display.requestClose(this.xid)
  }

  /** Without asking anybody. */
  async destroy(): Promise<void> {
    this.#destroying = true
    const closed = new Promise<void>((resolve) => this.once('closed', () => resolve()))
    this.#browser.tell('Target.closeTarget', { targetId: this.targetId })
    await closed
  }

  /** A navigation was refused: the page stays. */
  stays(): void {
    this.#leaving = false
  }

  ended(): void {
    this.#display.unwatch(this.xid)
    this.emit('closed')
  }

  /** The preload's world asks before every unload: without a navigation under way, it's the window being closed. */
  #answerDialogs(): void {
    const { session } = this
    const leaving = ({ frameId }: { frameId: string }): void => {
      if (frameId === this.targetId) this.#leaving = true
    }
    session.on('Page.frameRequestedNavigation', leaving)
    session.on('Page.frameStartedNavigating', leaving)
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === this.targetId) this.#leaving = false
    })
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      if (frameId === this.targetId) this.#leaving = false
    })
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      const accept = type === 'beforeunload' && (this.#destroying || this.#leaving || this.mayClose())
      session.tell('Page.handleJavaScriptDialog', { accept })
    })
  }

  /** Chromium heeds beforeunload only in a page that was used: an evaluation with a gesture counts as such. */
  #armBeforeUnload(): void {
    const { session } = this
    const arm = (): void => session.tell('Runtime.evaluate', { expression: '0', userGesture: true })
    session.on('Page.domContentEventFired', arm)
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) arm()
    })
  }
}
