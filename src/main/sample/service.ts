import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSampleListener, type SampleListenerOptions } from './listener.ts'
import { createSampleStore, type SampleStore, type SampleStoreOptions } from './store.ts'

export interface SampleServiceOptions extends SampleStoreOptions, Partial<SampleListenerOptions> {
  /** Port number. The default, 0, chooses a free one. */
  port?: number
}

export interface SampleService {
  /** Base URL. */
  address: string
  apiKey: string
  store: SampleStore
  /** Closes the server with all open sockets. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts the sample service on 127.0.0.1. The key is random unless one is given. Rejects, leaving nothing open, if the
 * port is taken or the file can't be read or written.
 */
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
