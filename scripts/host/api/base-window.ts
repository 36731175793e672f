import { runningBrowser } from '../runtime.ts'
import { hostEvent, StrictEmitter } from '../strict.ts'
import type { NativeWindow } from '../window/native-window.ts'
import type { Bounds } from '../x11/display.ts'
import { placed, type Size } from './placed.ts'
import { primaryDisplay } from './screen.ts'

export interface BaseWindowOptions extends Partial<Bounds> {
  minWidth?: number
  minHeight?: number
  show?: boolean
  title?: string
  backgroundColor?: string
}

/**
 * A window on the screen, as Electron's class of this name. What it's asked is known at once, and done in turn as soon
 * as Chromium has opened it; an event comes when it's done.
 */
export abstract class BaseWindow extends StrictEmitter {
  protected readonly opened: Promise<NativeWindow>
  protected title: string
  readonly #least: Size
  #work: Promise<unknown>
  #bounds: Bounds
  #normalBounds: Bounds | null = null
  #visible = false
  #minimized = false
  #fullScreen = false
  #focused = false
  #background = '#FFFFFF'
  #destroyed = false

  constructor(options: BaseWindowOptions, title: string) {
    super()
    this.title = options.title ?? title
    this.#least = { width: options.minWidth ?? 0, height: options.minHeight ?? 0 }
    this.#bounds = placed(options, this.#least)
    this.opened = runningBrowser().open(this.#bounds)
    this.#work = this.opened.then((native) => this.#follow(native))
    if (options.show === false) this.does((native) => native.hide())
    else this.show()
    if (options.backgroundColor !== undefined) this.setBackgroundColor(options.backgroundColor)
  }

  show(): void {
    this.#appear(true)
  }

  showInactive(): void {
    this.#appear(false)
  }

  hide(): void {
    if (!this.#visible) return
    this.#visible = false
    this.#minimized = false
    this.does(async (native) => {
      await native.hide()
      this.emit('hide', hostEvent())
    })
  }

  focus(): void {
    if (this.isVisible()) this.does((native) => native.focus())
  }

  blur(): void {
    this.does((native) => native.blur())
  }

  /** A minimised one counts as visible, as on X11. */
  isVisible(): boolean {
    return this.#visible
  }

  isFocused(): boolean {
    return this.#focused
  }

  isDestroyed(): boolean {
    return this.#destroyed
  }

  /**
   * Without a window manager there is nothing to minimise to: the window is taken off the screen. Neither this nor the way
   * back is told as `hide` or `show`, as on Windows and Linux.
   */
  minimize(): void {
    if (this.#minimized) return
    this.#minimized = true
    this.#visible = true
    this.does(async (native) => {
      await native.hide()
      this.emit('minimize', hostEvent())
    })
  }

  restore(): void {
    if (!this.#minimized) return
    this.#minimized = false
    this.does(async (native) => {
      await native.show()
      await native.focus()
      this.emit('restore', hostEvent())
    })
  }

  isMinimized(): boolean {
    return this.#minimized
  }

  /** Shows a hidden window too, which not every system tells as `show`. */
  maximize(): void {
    if (this.#normalBounds !== null) return
    const normal = this.#bounds
    this.setBounds(primaryDisplay().workArea)
    this.#normalBounds = normal
    if (!this.#visible) this.does((native) => native.show())
    this.#visible = true
    this.does(() => void this.emit('maximize', hostEvent()))
  }

  unmaximize(): void {
    if (this.#normalBounds === null) return
    this.setBounds(this.#normalBounds)
    this.#normalBounds = null
    this.does(() => void this.emit('unmaximize', hostEvent()))
  }

  /** Never while it's minimised or in full screen, as on X11. */
  isMaximized(): boolean {
    return this.#normalBounds !== null && !this.#minimized && !this.#fullScreen
  }

  /** Later, as on macOS. It keeps its size here. */
  setFullScreen(wanted: boolean): void {
    this.does(() => {
      if (wanted === this.#fullScreen) return
      this.#fullScreen = wanted
      this.emit(wanted ? 'enter-full-screen' : 'leave-full-screen', hostEvent())
    })
  }

  isFullScreen(): boolean {
    return this.#fullScreen
  }

  getBounds(): Bounds {
    return { ...this.#bounds }
  }

  getNormalBounds(): Bounds {
    return { ...(this.#normalBounds ?? this.#bounds) }
  }

  setBounds(bounds: Partial<Bounds>): void {
    const wanted = placed({ ...this.#bounds, ...bounds }, this.#least)
    this.#bounds = wanted
    this.does((native) => native.setBounds(wanted))
  }

  getSize(): [number, number] {
    return [this.#bounds.width, this.#bounds.height]
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height })
  }

  getPosition(): [number, number] {
    return [this.#bounds.x, this.#bounds.y]
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y })
  }

  getTitle(): string {
    return this.title
  }

  setTitle(title: string): void {
    this.title = title
    this.does((native) => native.setTitle(title))
  }

  getBackgroundColor(): string {
    return this.#background
  }

  /** `#rrggbb`, as Electron gives it back: in capitals. */
  setBackgroundColor(color: string): void {
    this.#background = color.toUpperCase()
    this.does((native) => native.setBackground(color))
  }

  // The windows here have neither a menu bar nor an icon.
  setMenuBarVisibility(): void {}
  isMenuBarVisible(): boolean {
    return false
  }
  setAutoHideMenuBar(): void {}
  removeMenu(): void {}
  setMenu(): void {}
  setIcon(): void {}

  close(): void {
    if (!this.#destroyed && this.#mayClose()) this.destroy()
  }

  destroy(): void {
    if (!this.#destroyed) void this.opened.then((native) => native.destroy())
  }

  /** For app.quit: whether it's closed. */
  async closeForQuit(): Promise<boolean> {
    if (this.#destroyed) return true
    if (!this.#mayClose()) return false
    await (await this.opened).destroy()
    return true
  }

  /** For host.pressTitleBarClose. */
  async pressTitleBarClose(): Promise<void> {
    await (await this.opened).requestClose()
  }

  /** For host.isOnScreen. */
  async isOnScreen(): Promise<boolean> {
    return (await this.opened).isOnScreen()
  }

  /** In turn. A window that goes meanwhile takes what it was asked with it. */
  protected does(task: (native: NativeWindow) => unknown): void {
    this.#work = this.#work
      .then(() => this.opened)
      .then((native) => (this.#destroyed ? undefined : task(native)))
      .catch((error: unknown) => {
        if (!this.#destroyed) console.error(error)
      })
  }

  protected abstract ended(): void
  protected abstract focusChanged(focused: boolean): void

  #mayClose(): boolean {
    const event = hostEvent()
    this.emit('close', event)
    return !event.defaultPrevented
  }

  #appear(activate: boolean): void {
    if (this.#minimized) this.restore()
    const wasVisible = this.#visible
    this.#visible = true
    this.does(async (native) => {
      if (!wasVisible) await native.show()
      if (activate) await native.focus()
      this.emit('show', hostEvent())
    })
  }

  #follow(native: NativeWindow): void {
    native.mayClose = () => this.#mayClose()
    native.on('focus', () => this.#focusIs(true))
    // Chromium focuses a new window by itself, before anybody can listen.
    void native.isFocused().then((focused) => focused && this.#focusIs(true))
    native.on('blur', () => this.#focusIs(false))
    native.on('bounds', () => this.does(() => this.#readBounds(native)))
    native.on('closed', () => {
      this.#destroyed = true
      this.#focused = false
      this.ended()
      this.emit('closed', hostEvent())
    })
  }

  #focusIs(focused: boolean): void {
    if (focused === this.#focused) return
    this.#focused = focused
    this.emit(focused ? 'focus' : 'blur', hostEvent())
    this.focusChanged(focused)
  }

  /**
   * Somebody else, or the window manager, has moved or resized it. Read in turn: of two readings at once the earlier answer
   * could be the one that's kept.
   */
  async #readBounds(native: NativeWindow): Promise<void> {
    const was = this.#bounds
    const now = await native.bounds()
    if (this.#bounds !== was) return // asked for others meanwhile: those will be told of
    this.#bounds = now
    if (now.width !== was.width || now.height !== was.height) this.emit('resize', hostEvent())
    if (now.x !== was.x || now.y !== was.y) this.emit('move', hostEvent())
  }
}
