import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSampleListener, type SampleListenerOptions } from './listener.ts'
import { createSampleStore, type SampleStore, type SampleStoreOptions } from './store.ts'

export interface SampleServiceOptions extends SampleStoreOptions, Partial<SampleListenerOptions> {
  /** The default, 0, chooses a free port. */
  port?: number
}

/** A running sample service. */
export interface SampleService {
  /** Base URL. */
  address: string
  apiKey: string
  store: SampleStore
  /** Stops the service and closes all open sockets. Idempotent. */
  close(): Promise<void>
}

/** Listens on 127.0.0.1, by default with a random key. Rejects, leaving nothing open, if the port or the file can't be used. */
export async function startSampleService(options: SampleServiceOptions = {}): Promise<SampleService> {
  const { port = 0, websites, file, key = randomBytes(24).toString('base64url'), ...rest } = options
  const store = createSampleStore({ ...(websites !== undefined && { websites }), file })
  const websiteLimit = store.all().length < 450 ? 500 : -1
  const server = createServer(createSampleListener(store, { websiteLimit, ...rest, key }))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  let closing: Promise<void> | undefined
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    apiKey: key,
    store,
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })),
  }
}
