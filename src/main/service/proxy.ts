/**
 * The way to an origin as the system has it, in the words of a PAC file (`PROXY host:port; DIRECT`), most wanted first;
 * what Electron's `session.resolveProxy` answers. It's asked for each request, since settings and networks change.
 */
export type ProxyFor = (origin: string) => Promise<string>

/** `secure`: the proxy itself is spoken to over TLS. */
export interface Proxy {
  host: string
  port: number
  secure: boolean
}

export type Way = { kind: 'direct' } | ({ kind: 'proxy' } & Proxy) | { kind: 'unsupported' }

/** The way to an address that is most wanted; what can't be told isn't supported either. */
export const firstWay = (proxyFor: ProxyFor, address: string): Promise<Way> =>
  proxyFor(`${new URL(address).origin}/`).then(
    (words) => waysOf(words)[0] ?? { kind: 'direct' },
    () => ({ kind: 'unsupported' }),
  )

/** Reads the words of a PAC file. SOCKS, and whatever else isn't understood, is there as `unsupported`. */
export function waysOf(words: string): Way[] {
  const ways = words
    .split(';')
    .map((way) => way.trim())
    .filter((way) => way !== '')
    .map(readWay)
  return ways.length > 0 ? ways : [{ kind: 'direct' }]
}

function readWay(way: string): Way {
  const [kind = '', place = '', ...more] = way.split(/\s+/)
  if (kind.toUpperCase() === 'DIRECT' && place === '') return { kind: 'direct' }
  const secure = kind.toUpperCase() === 'HTTPS'
  if ((!secure && !['PROXY', 'HTTP'].includes(kind.toUpperCase())) || more.length > 0) return { kind: 'unsupported' }
  const [, host = '', port = secure ? '443' : '80'] = /^(\[[\d:a-f.]+\]|[^:/@[\]]+)(?::(\d{1,5}))?$/i.exec(place) ?? []
  if (host === '' || Number(port) > 65_535) return { kind: 'unsupported' }
  return { kind: 'proxy', host: host.replace(/^\[|\]$/g, ''), port: Number(port), secure }
}
