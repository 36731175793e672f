import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createService } from '../../src/main/service/client.ts'
import type { Secret } from '../../src/main/secrets/secret.ts'
import { createDispatcher } from '../../src/main/service/dispatcher.ts'
import type { Service } from '../../src/main/service/port.ts'
import { openConnection, temporaryFolder, type BenchConnection } from './connection.ts'

/** Its file, in the folder. */
export const FILE = 'served.sqlite'

/** A connection of the app's own, at work over loopback with a service in another process. */
export interface Served extends BenchConnection {
  folder: string
  address: string
  apiKey: string
  /** Milliseconds that are added to each page from here on. */
  delay: (ms: number) => void
  /** Requests since the last call. */
  asked: () => { pages: number; writes: number; accounts: number }
  end: () => Promise<void>
}

export async function startServed(websites: number): Promise<Served> {
  const host = fork(join(import.meta.dirname, 'service-process.ts'), [String(websites)], {
    execArgv: ['--no-warnings'],
  })
  const [{ address, apiKey }] = (await once(host, 'message')) as [{ address: string; apiKey: string }]
  const { folder, end } = temporaryFolder()
  const dispatcher = createDispatcher()
  const counts = { pages: 0, writes: 0, accounts: 0 }
  const serviceOf = (key: () => Secret | null): Service => {
    const service = createService({ address, key, dispatcher })
    const counted =
      <A extends unknown[], R>(what: keyof typeof counts, ask: (...given: A) => R) =>
      (...given: A): R => {
        counts[what] += 1
        return ask(...given)
      }
    return {
      ...service,
      list: counted('pages', service.list),
      listNext: counted('pages', service.listNext),
      get: counted('pages', service.get),
      update: counted('writes', service.update),
      account: counted('accounts', service.account),
    }
  }
  const opened = await openConnection(folder, { service: serviceOf, file: FILE })
  opened.connection.start()
  opened.connection.keyChanged()
  return {
    ...opened,
    folder,
    address,
    apiKey,
    delay: (ms) => void host.send({ delay: ms }),
    asked() {
      const since = { ...counts }
      Object.assign(counts, { pages: 0, writes: 0, accounts: 0 })
      return since
    },
    async end() {
      await opened.connection.close()
      await dispatcher.destroy()
      host.disconnect()
      end()
    },
  }
}
