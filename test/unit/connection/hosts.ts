import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSampleListener } from '../../../src/main/sample/listener.ts'
import { createSampleStore, type SampleStore } from '../../../src/main/sample/store.ts'

export interface Account {
  /** Null if this host shows no account. */
  id: number | null
  key: string
  websites: string[]
  name?: string
  /** The host answers a request for the account after this resolves. */
  after?: Promise<void>
  /** The host answers a request for a single website after this resolves. */
  websiteAfter?: Promise<void>
}

export interface Host {
  address: string
  /** The websites of each account, in the order of the accounts. */
  stores: SampleStore[]
  /** Key, method and path of each request. */
  requests: string[]
  /** True if the host answers 403 to a request for the account. */
  hideAccount: boolean
  close(): Promise<void>
  reopen(): Promise<void>
}

/** Starts a host with several accounts at one address. The key of a request chooses the account. An unknown key gets 401. */
export async function startHost(...accounts: Account[]): Promise<Host> {
  const stores = accounts.map(({ websites }) => {
    const store = createSampleStore({ websites: 0 })
    for (const domain of websites) store.create({ domain })
    return store
  })
  const listeners = accounts.map(({ key }, at) => createSampleListener(stores[at] as SampleStore, { key, rate: 0 }))
  const listener: RequestListener = (request, response) => {
    const at = accounts.findIndex(({ key }) => request.headers.authorization === `Bearer ${key}`)
    const account = accounts[at]
    host.requests.push(`${account?.key ?? ''} ${request.method ?? ''} ${request.url ?? ''}`)
    if (host.hideAccount && request.url === '/api/v1/account') {
      response.writeHead(403, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: 'This action is unauthorized.' }))
    } else if (account !== undefined && request.url === '/api/v1/account') {
      const body =
        account.id === null
          ? { message: 'Resource not found.' }
          : { data: { id: account.id, name: account.name ?? 'Acme' } }
      void (account.after ?? Promise.resolve()).then(() => {
        response.writeHead(account.id === null ? 404 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      })
    } else {
      const isWebsite = /^\/api\/v1\/websites\/\d+$/.test(request.url ?? '')
      const answer = () => listeners[Math.max(at, 0)]?.(request, response)
      if (isWebsite && account?.websiteAfter !== undefined) void account.websiteAfter.then(answer)
      else answer()
    }
  }
  const server = createServer(listener)
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const host: Host = {
    address: `http://127.0.0.1:${port}`,
    reopen: () => listen(port),
    stores,
    requests: [],
    hideAccount: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return host
}
