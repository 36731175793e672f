import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSampleListener, type SampleListenerOptions } from './listener.ts'
import { createSampleStore, type SampleStore, type SampleStoreOptions } from './store.ts'

export interface SampleServiceOptions extends SampleStoreOptions, Partial<SampleListenerOptions> {
  /** 0, the default: one that is free. */
  port?: number
}

export interface SampleService {
  /** Base URL. */
  address: string
  apiKey: string
  store: SampleStore
  /** Cuts off whoever is connected. Once more does nothing more. */
  close(): Promise<void>
}

/**
 * Starts the sample service on 127.0.0.1, with a key of its own unless one is given. Rejects, holding nothing open,
 * if the port is taken or the file can't be read and written.
 */
export async function startSampleService(options: SampleServiceOptions = {}): Promise<SampleService> {
  const { port = 0, websites, file, key = randomBytes(24).toString('base64url'), ...rest } = options
  const store = createSampleStore({ ...(websites !== undefined && { websites }), file })
  const websiteLimit = store.all().length < 450 ? 500 : -1
  const server = createServer(createSampleListener(store, { websiteLimit, ...rest, key }))
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
  } catch (error) {
    store.close()
    throw error
  }
  let closing: Promise<void> | undefined
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    apiKey: key,
    store,
    close: () =>
      (closing ??= new Promise((resolve) => {
        server.close(() => {
          store.close()
          resolve()
        })
        server.closeAllConnections()
      })),
  }
}
