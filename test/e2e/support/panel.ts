import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * A panel that shows icons, as far as programs of the session hear of it: it owns the watcher's name on the bus, and says of
 * itself whether a host is there (StatusNotifierItem, "StatusNotifierWatcher"). Every other call is answered with nothing.
 */
export interface Panel {
  stop(): Promise<void>
}

const CALL = 1
const RETURN = 2
/** Codes of the header's fields (D-Bus Specification, "Header Fields"). */
const field = { path: 1, interface: 2, member: 3, replySerial: 5, destination: 6, sender: 7, signature: 8 } as const

export async function startPanel(address: string, { host = true } = {}): Promise<Panel> {
  const path = /unix:path=([^,]+)/.exec(address)?.[1]
  if (path === undefined) throw new Error(`no socket in ${address}`)
  const socket = connect(path)
  await once(socket, 'connect')
  socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`)
  await once(socket, 'data')
  socket.write('BEGIN\r\n')

  let serial = 0
  const send = (type: number, fields: Field[], signature = '', body: Buffer = Buffer.alloc(0)): void => {
    serial += 1
    const all: Field[] = signature === '' ? fields : [...fields, [field.signature, 'g', signature]]
    socket.write(message(type, serial, all, body))
  }
  const callBus = (member: string, signature?: string, body?: Buffer): void =>
    send(
      CALL,
      [
        [field.path, 'o', '/org/freedesktop/DBus'],
        [field.interface, 's', 'org.freedesktop.DBus'],
        [field.member, 's', member],
        [field.destination, 's', 'org.freedesktop.DBus'],
      ],
      signature,
      body,
    )

  const named = new Promise<void>((resolve) => {
    let unread = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      unread = Buffer.concat([unread, bytes])
      for (let found = readMessage(unread); found !== null; found = readMessage(unread)) {
        unread = unread.subarray(found.length)
        const { fields } = found
        if (found.type === RETURN && fields.get(field.replySerial) === 2) resolve()
        if (found.type !== CALL) continue
        const reply: Field[] = [
          [field.replySerial, 'u', found.serial],
          [field.destination, 's', fields.get(field.sender) ?? ''],
        ]
        if (fields.get(field.member) !== 'Get') send(RETURN, reply)
        else
          send(
            RETURN,
            reply,
            'v',
            new Marshal()
              .signature('b')
              .uint(host ? 1 : 0)
              .bytes(),
          )
      }
    })
  })
  callBus('Hello')
  callBus('RequestName', 'su', new Marshal().string('org.kde.StatusNotifierWatcher').uint(0).bytes())
  await named

  return {
    async stop() {
      socket.end()
      await once(socket, 'close')
    },
  }
}

type Field = [code: number, type: 's' | 'o' | 'u' | 'g', value: string | number]

/** Writes values in the bus' form, little-endian (D-Bus Specification, "Marshaling"). */
class Marshal {
  #bytes: Buffer = Buffer.alloc(0)

  bytes = (): Buffer => this.#bytes

  align(to: number): this {
    return this.raw(Buffer.alloc((to - (this.#bytes.length % to)) % to))
  }

  raw(bytes: Buffer): this {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    return this
  }

  uint(value: number): this {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return this.align(4).raw(bytes)
  }

  string = (text: string): this => this.uint(Buffer.byteLength(text)).raw(Buffer.from(`${text}\0`))
  signature = (text: string): this => this.raw(Buffer.from([text.length])).raw(Buffer.from(`${text}\0`))
}

function message(type: number, serial: number, fields: readonly Field[], body: Buffer): Buffer {
  const list = new Marshal()
  for (const [code, kind, value] of fields) {
    list
      .align(8)
      .raw(Buffer.from([code]))
      .signature(kind)
    if (kind === 'u') list.uint(Number(value))
    else if (kind === 'g') list.signature(String(value))
    else list.string(String(value))
  }
  const head = new Marshal().raw(Buffer.from(['l'.charCodeAt(0), type, 0, 1]))
  head.uint(body.length).uint(serial).uint(list.bytes().length)
  return head.raw(list.bytes()).align(8).raw(body).bytes()
}

/** The first message of these bytes; null: it isn't all there yet. The bus itself writes as this machine does. */
function readMessage(bytes: Buffer) {
  if (bytes.length < 16) return null
  const end = 16 + bytes.readUInt32LE(12)
  const length = Math.ceil(end / 8) * 8 + bytes.readUInt32LE(4)
  if (bytes.length < length) return null
  const fields = new Map<number, string | number>()
  let at = 16
  const align = (to: number): void => void (at = Math.ceil(at / to) * to)
  while (at < end) {
    align(8)
    const code = bytes[at] ?? 0
    const kind = String.fromCharCode(bytes[at + 2] ?? 0)
    at += 4
    if (kind === 'u') {
      fields.set(code, bytes.readUInt32LE(at))
      at += 4
    } else {
      const size = kind === 'g' ? 1 : 4
      const count = kind === 'g' ? (bytes[at] ?? 0) : bytes.readUInt32LE(at)
      fields.set(code, bytes.toString('utf8', at + size, at + size + count))
      at += size + count + 1
    }
  }
  return { type: bytes[1], serial: bytes.readUInt32LE(8), fields, length }
}
