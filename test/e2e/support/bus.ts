import { Message, MessageType, sessionBus, type Variant } from '@jellybrick/dbus-next'
import { once } from 'node:events'

type Answer = readonly [signature: string, ...values: unknown[]]
type Methods = Record<string, (call: Message) => Answer>

/** A connection to a D-Bus session bus, on which a test replaces a service of the desktop. */
export interface Bus {
  /** Takes a name on the bus, and answers calls of an interface and reads of its properties (`Get`). Any other call fails. */
  serve(name: string, interfaceName: string, methods: Methods): Promise<void>
  call(to: Target, member: string, signature?: string, ...values: unknown[]): Promise<unknown[]>
  properties(of: Target): Promise<Record<string, Variant>>
  emit(path: string, interfaceName: string, member: string, signature: string, ...values: unknown[]): void
  listen(interfaceName: string, listener: (signal: Message) => void): Promise<void>
  leave(): Promise<void>
}

interface Target {
  name: string
  path: string
  interface: string
}

const BUS: Target = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }
const PROPERTIES = 'org.freedesktop.DBus.Properties'

export async function joinBus(busAddress: string): Promise<Bus> {
  const connection = sessionBus({ busAddress })
  await once(connection, 'connect')
  const names: string[] = []

  const call: Bus['call'] = async (to, member, signature = '', ...body) => {
    const { name: destination, path, interface: interfaceName } = to
    const message = new Message({ destination, path, interface: interfaceName, member, signature, body })
    return (await connection.call(message))?.body ?? []
  }

  return {
    call,
    async serve(name, interfaceName, methods) {
      connection.addMethodHandler((message) => {
        const isRead = message.interface === PROPERTIES && message.body[0] === interfaceName
        if (message.interface !== interfaceName && !isRead) return false
        const method = methods[message.member]
        if (method === undefined) return false
        const [signature, ...body] = method(message)
        connection.send(Message.newMethodReturn(message, signature, body))
        return true
      })
      await connection.requestName(name, 0)
      names.push(name)
    },
    async properties(of) {
      const [values] = await call({ ...of, interface: PROPERTIES }, 'GetAll', 's', of.interface)
      return values as Record<string, Variant>
    },
    emit: (...signal) => {
      const [path, interfaceName, member, signature, ...body] = signal
      connection.send(Message.newSignal(path, interfaceName, member, signature, body))
    },
    async listen(interfaceName, listener) {
      await call(BUS, 'AddMatch', 's', `type='signal',interface='${interfaceName}'`)
      connection.on('message', (message) => {
        if (message.type === MessageType.SIGNAL && message.interface === interfaceName) listener(message)
      })
    },
    async leave() {
      for (const name of names) await connection.releaseName(name)
      connection.disconnect()
    },
  }
}
