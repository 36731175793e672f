import type { Socket } from 'node:net'
import type { Ending } from './ending.ts'
import { httpRequest } from './http.ts'
import { NotConnected } from './not-connected.ts'

/**
 * Asks the proxy at the other end for a tunnel to an https origin (CONNECT); nothing was sent through it yet. Rejects
 * with {@link NotConnected}: `proxy-unreachable`, which another proxy may not be; `proxy-login`, `proxy-refused`.
 */
export function openTunnel(proxy: Socket, target: URL, stop: Ending): Promise<Socket> {
  const authority = `${target.hostname}:${target.port === '' ? '443' : target.port}`
  return new Promise((resolve, reject) => {
    if (stop.over) {
      proxy.destroy()
      return reject(new NotConnected('proxy-unreachable'))
    }
    const request = httpRequest({
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority },
      createConnection: () => proxy,
    })
    const end = (): void => void request.destroy(new NotConnected('proxy-unreachable'))
    stop.on(end)
    request.once('connect', ({ statusCode: status = 0 }, _socket, head) => {
      stop.off(end)
      proxy.on('error', () => undefined)
      if (status >= 200 && status <= 299) {
        if (head.length > 0) proxy.unshift(head)
        return resolve(proxy)
      }
      proxy.destroy()
      reject(new NotConnected(status === 407 ? 'proxy-login' : 'proxy-refused', { status }))
    })
    request.once('error', (cause) => {
      stop.off(end)
      reject(new NotConnected('proxy-unreachable', { cause }))
    })
    request.end()
  })
}
