import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { COOKIE_PROTOCOL, cookieFor } from './authority.ts'

/** Opcodes of the core protocol (X Window System Protocol, appendix B). */
export const opcode = {
  changeWindowAttributes: 2,
  getWindowAttributes: 3,
  mapWindow: 8,
  unmapWindow: 10,
  configureWindow: 12,
  getGeometry: 14,
  queryTree: 15,
  internAtom: 16,
  changeProperty: 18,
  getProperty: 20,
  sendEvent: 25,
  queryPointer: 38,
  translateCoordinates: 40,
  setInputFocus: 42,
  getInputFocus: 43,
} as const

export interface Screen {
  root: number
  width: number
  height: number
}

const padding = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4)
export const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, padding(bytes.length)])

export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => bytes.writeInt32LE(value | 0, 4 * index))
  return bytes
}

interface Waiting {
  resolve: (reply: Buffer) => void
  reject: (reason: Error) => void
}

/** A client of the X server, little-endian, without extensions. */
export class Wire {
  readonly screen: Screen
  readonly #socket: Socket
  readonly #onEvent: (event: Buffer) => void
  readonly #waiting = new Map<number, Waiting>()
  #sequence = 0
  #unread = Buffer.alloc(0)

  private constructor(socket: Socket, screen: Screen, onEvent: (event: Buffer) => void) {
    this.#socket = socket
    this.screen = screen
    this.#onEvent = onEvent
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#abandon())
  }

  static async open(display: string, onEvent: (event: Buffer) => void): Promise<Wire> {
    const [, host = '', number = ''] = /^(.*):(\d+)/.exec(display) ?? []
    if (number === '') throw new Error(`unable to open X display "${display}"`)
    const local = host === '' || host === 'unix'
    const socket = local ? connect(`/tmp/.X11-unix/X${number}`) : connect(6000 + Number(number), host)
    await once(socket, 'connect')
    socket.write(setupRequest(cookieFor(number)))
    const setup = await setupAnswer(socket)
    return new Wire(socket, firstScreen(setup), onEvent)
  }

  send(op: number, data: number, body: Buffer): number {
    const head = Buffer.alloc(4)
    head[0] = op
    head[1] = data
    head.writeUInt16LE(1 + body.length / 4, 2)
    this.#sequence = (this.#sequence + 1) & 0xffff
    this.#socket.write(Buffer.concat([head, body]))
    return this.#sequence
  }

  ask(op: number, data: number, body: Buffer): Promise<Buffer> {
    const sequence = this.send(op, data, body)
    return new Promise((resolve, reject) => this.#waiting.set(sequence, { resolve, reject }))
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes])
    while (this.#unread.length >= 32) {
      const isReply = this.#unread[0] === 1
      const size = 32 + (isReply ? 4 * this.#unread.readUInt32LE(4) : 0)
      if (this.#unread.length < size) return
      const message = this.#unread.subarray(0, size)
      this.#unread = this.#unread.subarray(size)
      this.#take(message)
    }
  }

  #take(message: Buffer): void {
    const kind = message[0] ?? 0
    if (kind > 1) return this.#onEvent(message)
    const sequence = message.readUInt16LE(2)
    const waiting = this.#waiting.get(sequence)
    this.#waiting.delete(sequence)
    // Without a waiting request an error says that a window has gone meanwhile.
    if (kind === 1) waiting?.resolve(message)
    else waiting?.reject(new Error(`X error ${message[1]}`))
  }

  #abandon(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the X server is gone'))
    this.#waiting.clear()
  }
}

function setupRequest(cookie: Buffer | null): Buffer {
  const name = Buffer.from(cookie === null ? '' : COOKIE_PROTOCOL)
  const data = cookie ?? Buffer.alloc(0)
  const head = Buffer.alloc(12)
  head.write('l') // little-endian
  head.writeUInt16LE(11, 2)
  head.writeUInt16LE(name.length, 6)
  head.writeUInt16LE(data.length, 8)
  return Buffer.concat([head, padded(name), padded(data)])
}

async function setupAnswer(socket: Socket): Promise<Buffer> {
  let answer = Buffer.alloc(0)
  while (answer.length < 8 || answer.length < 8 + 4 * answer.readUInt16LE(6)) {
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    answer = Buffer.concat([answer, bytes])
  }
  if (answer[0] !== 1) throw new Error('unable to open X display: the server refuses the connection')
  return answer
}

/** The screens follow the fixed part, the vendor's name and the pixmap formats (8 bytes each). */
function firstScreen(setup: Buffer): Screen {
  const vendor = setup.readUInt16LE(24)
  const at = 40 + vendor + padding(vendor).length + 8 * (setup[29] ?? 0)
  return { root: setup.readUInt32LE(at), width: setup.readUInt16LE(at + 20), height: setup.readUInt16LE(at + 22) }
}
