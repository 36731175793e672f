import { setTimeout as after } from 'node:timers/promises'
import { opcode, padded, Wire, words, type Screen } from './wire.ts'

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export type WindowChange = 'focus' | 'blur' | 'bounds'

// Event codes and masks of the core protocol.
const CHANGES: Record<number, WindowChange> = { 9: 'focus', 10: 'blur', 22: 'bounds' }
const UNMAP_NOTIFY = 18
const CLIENT_MESSAGE = 33
const STRUCTURE_NOTIFY = 0x20000
const SUBSTRUCTURE = 0x180000
const FOCUS_CHANGE = 0x200000
const EVENT_MASK = 0x800
const STACK_MODE = 0x40
const PLACE_AND_SIZE = 0xf
const VIEWABLE = 2
const NOBODY = 0

/** The few things that the host asks of the X server about Chromium's windows, which it has by their X id. */
export class Display {
  readonly #wire: Wire
  readonly #atoms = new Map<string, number>()
  readonly #watchers: Map<number, (change: WindowChange) => void>

  private constructor(wire: Wire, watchers: Map<number, (change: WindowChange) => void>) {
    this.#wire = wire
    this.#watchers = watchers
  }

  static async open(name: string): Promise<Display> {
    const watchers = new Map<number, (change: WindowChange) => void>()
    const wire = await Wire.open(name, (event) => {
      const kind = (event[0] ?? 0) & 0x7f
      const change = CHANGES[kind]
      // Focus events name their window, ConfigureNotify the one that asked for it: both at the same place.
      if (change !== undefined) watchers.get(event.readUInt32LE(4))?.(change)
    })
    return new Display(wire, watchers)
  }

  get screen(): Screen {
    return this.#wire.screen
  }

  close(): void {
    this.#wire.close()
  }

  watch(window: number, onChange: (change: WindowChange) => void): void {
    this.#watchers.set(window, onChange)
    const wanted = words(window, EVENT_MASK, STRUCTURE_NOTIFY | FOCUS_CHANGE)
    this.#wire.send(opcode.changeWindowAttributes, 0, wanted)
  }

  unwatch(window: number): void {
    this.#watchers.delete(window)
  }

  /** Windows whose WM_CLASS has `part` in it; a window manager puts them a level or two below the root. */
  async windowsOfClass(part: string, below = this.screen.root, depth = 0): Promise<number[]> {
    const found: number[] = []
    for (const child of await this.#children(below)) {
      const wmClass = await this.#property(child, 'WM_CLASS').catch(() => Buffer.alloc(0))
      if (wmClass.includes(part)) found.push(child)
      else if (depth < 2) found.push(...(await this.windowsOfClass(part, child, depth + 1)))
    }
    return found
  }

  /**
   * Takes a window off the screen. What makes Chromium tell the page is _NET_WM_STATE_HIDDEN; a window manager clears
   * it while it withdraws the window, so it's set after that.
   */
  async hide(window: number): Promise<void> {
    this.#wire.send(opcode.unmapWindow, 0, words(window))
    await this.#sendUnmapNotify(window)
    if (await this.#hasWindowManager())
      await this.#until(async () => !(await this.#property(window, 'WM_STATE')).length)
    await this.#setAtoms(window, '_NET_WM_STATE', ['_NET_WM_STATE_HIDDEN'])
    await this.#settle()
  }

  async show(window: number): Promise<void> {
    await this.#setAtoms(window, '_NET_WM_STATE', [])
    this.#wire.send(opcode.mapWindow, 0, words(window))
    await this.#until(() => this.isViewable(window))
  }

  async bounds(window: number): Promise<Bounds> {
    const [size, place] = await Promise.all([
      this.#wire.ask(opcode.getGeometry, 0, words(window)),
      this.#wire.ask(opcode.translateCoordinates, 0, words(window, this.screen.root, 0)),
    ])
    const [x, y] = [place.readInt16LE(12), place.readInt16LE(14)]
    return { x, y, width: size.readUInt16LE(16), height: size.readUInt16LE(18) }
  }

  /** Chromium would leave undone what it's asked while the window is hidden; of this it hears as of any user's doing. */
  async setBounds(window: number, { x, y, width, height }: Bounds): Promise<void> {
    this.#wire.send(opcode.configureWindow, 0, words(window, PLACE_AND_SIZE, x, y, width, height))
    await this.#settle()
  }

  async focus(window: number): Promise<void> {
    this.#wire.send(opcode.configureWindow, 0, words(window, STACK_MODE, 0))
    this.#wire.send(opcode.setInputFocus, 1, words(window, 0))
    await this.#settle()
  }

  async focusNothing(): Promise<void> {
    this.#wire.send(opcode.setInputFocus, 0, words(NOBODY, 0))
    await this.#settle()
  }

  async hasFocus(window: number): Promise<boolean> {
    const focus = await this.#wire.ask(opcode.getInputFocus, 0, Buffer.alloc(0))
    return focus.readUInt32LE(8) === window
  }

  async isViewable(window: number): Promise<boolean> {
    const attributes = await this.#wire.ask(opcode.getWindowAttributes, 0, words(window)).catch(() => null)
    return attributes !== null && attributes[26] === VIEWABLE
  }

  /** What the cross of a title bar does. */
  async requestClose(window: number): Promise<void> {
    const event = Buffer.alloc(32)
    event[0] = CLIENT_MESSAGE
    event[1] = 32
    event.writeUInt32LE(window, 4)
    event.writeUInt32LE(await this.#atom('WM_PROTOCOLS'), 8)
    event.writeUInt32LE(await this.#atom('WM_DELETE_WINDOW'), 12)
    this.#wire.send(opcode.sendEvent, 0, Buffer.concat([words(window, 0), event]))
    await this.#settle()
  }

  async setTitle(window: number, title: string): Promise<void> {
    const text = Buffer.from(title)
    const head = words(window, await this.#atom('_NET_WM_NAME'), await this.#atom('UTF8_STRING'), 8, text.length)
    this.#wire.send(opcode.changeProperty, 0, Buffer.concat([head, padded(text)]))
    await this.#settle()
  }

  async pointer(): Promise<{ x: number; y: number }> {
    const reply = await this.#wire.ask(opcode.queryPointer, 0, words(this.screen.root))
    return { x: reply.readInt16LE(16), y: reply.readInt16LE(18) }
  }

  async #children(window: number): Promise<number[]> {
    const reply = await this.#wire.ask(opcode.queryTree, 0, words(window)).catch(() => null)
    if (reply === null) return []
    return Array.from({ length: reply.readUInt16LE(16) }, (_, index) => reply.readUInt32LE(32 + 4 * index))
  }

  async #property(window: number, name: string): Promise<Buffer> {
    const reply = await this.#wire.ask(opcode.getProperty, 0, words(window, await this.#atom(name), 0, 0, 1024))
    const bytesPerItem = (reply[1] ?? 0) / 8
    return reply.subarray(32, 32 + reply.readUInt32LE(16) * bytesPerItem)
  }

  async #setAtoms(window: number, name: string, values: string[]): Promise<void> {
    const atoms = await Promise.all(values.map((value) => this.#atom(value)))
    const head = words(window, await this.#atom(name), await this.#atom('ATOM'), 32, atoms.length)
    this.#wire.send(opcode.changeProperty, 0, Buffer.concat([head, words(...atoms)]))
  }

  async #atom(name: string): Promise<number> {
    const known = this.#atoms.get(name)
    if (known !== undefined) return known
    const length = Buffer.alloc(4)
    length.writeUInt16LE(name.length)
    const reply = await this.#wire.ask(opcode.internAtom, 0, Buffer.concat([length, padded(Buffer.from(name))]))
    const atom = reply.readUInt32LE(8)
    this.#atoms.set(name, atom)
    return atom
  }

  /** Tells a window manager that the window is withdrawn, not iconified (ICCCM 4.1.4). */
  async #sendUnmapNotify(window: number): Promise<void> {
    const event = Buffer.alloc(32)
    event[0] = UNMAP_NOTIFY
    event.writeUInt32LE(this.screen.root, 4)
    event.writeUInt32LE(window, 8)
    this.#wire.send(opcode.sendEvent, 0, Buffer.concat([words(this.screen.root, SUBSTRUCTURE), event]))
    await this.#settle()
  }

  async #hasWindowManager(): Promise<boolean> {
    return (await this.#property(this.screen.root, '_NET_SUPPORTING_WM_CHECK')).length > 0
  }

  /** A window manager may refuse: half a second is what it gets. */
  async #until(condition: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 50 && !(await condition()); tries++) await after(10)
  }

  /** Requests are handled in order: the answer to this one says that those before it are done. */
  async #settle(): Promise<void> {
    await this.#wire.ask(opcode.getInputFocus, 0, Buffer.alloc(0))
  }
}
