/**
 * The way to an origin as the system has it, in the words of a PAC file (`PROXY host:port; DIRECT`), most wanted first;
 * what Electron's `app.resolveProxy` answers. It's asked for each request, since settings and networks change.
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

/**
 * Returns a `proxyFor` that calls a SOCKS proxy of the environment by its name.
 *
 * Chromium on Linux reads `all_proxy=socks5://host:port` as an HTTP proxy, and so `http_proxy` and `https_proxy`: requests with
 * the key would be sent to a port that speaks another protocol. Whether the environment applies at all (the desktop's
 * settings go first, `no_proxy` exempts hosts) is left to Chromium: only an answer that names the very port is changed. A port
 * that a variable names as an HTTP proxy as well speaks both protocols, and stays.
 */
export function tellingSocks(proxyFor: ProxyFor, env: NodeJS.ProcessEnv): ProxyFor {
  const named = ['all_proxy', 'http_proxy', 'https_proxy']
    .flatMap((name) => [env[name], env[name.toUpperCase()]])
    .map((value) => /^(?:(\w+):\/\/)?(?:.*@)?([^/@]+)\/*$/.exec(value?.trim().toLowerCase() ?? ''))
    .filter((found) => found !== null)
    // Chromium's default, as it takes each for an HTTP proxy.
    .map(([, scheme = 'http', place = '']) => ({ scheme, place: /:\d+$/.test(place) ? place : `${place}:80` }))
  const isNamed = (kind: 'socks' | 'http', place: string): boolean =>
    named.some((each) => each.place === place && each.scheme.startsWith(kind))
  const isSocks = (place: string): boolean => isNamed('socks', place) && !isNamed('http', place)
  return async (origin) =>
    (await proxyFor(origin)).replaceAll(/\bPROXY ([^\s;]+)/gi, (way, place: string) =>
      isSocks(place.toLowerCase()) ? `SOCKS ${place}` : way,
    )
}

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
