import type { ProxyView } from '../../shared/state.ts'

/** `http` and `https` name how the proxy itself is spoken to. */
export interface Proxy {
  kind: 'http' | 'https' | 'socks5'
  host: string
  port: number
  login?: { name: string; password: string }
}

/** `unsupported`: a proxy of another kind, or settings that can't be read. */
export type Route = { kind: 'direct' } | Proxy | { kind: 'unsupported' }

/**
 * Returns the system's routes to an origin, in its order of preference. Called for each request, since settings and networks change.
 */
export type RoutesTo = (origin: string) => Promise<Route[]>

/** Returns the preferred route to an address, as the window may see it: without a login. */
export async function firstRoute(routesTo: RoutesTo, address: string): Promise<ProxyView> {
  const routes = await routesTo(new URL(address).origin).catch((): Route[] => [{ kind: 'unsupported' }])
  const [first = { kind: 'direct' }] = routes
  return 'host' in first ? { kind: 'proxy', host: first.host, port: first.port } : first
}

/**
 * Returns the routes that Chromium resolves, corrected by the environment's proxy variables. `resolve` answers in the words
 * of a PAC file (`PROXY host:port; DIRECT`), as Electron's `app.resolveProxy` does.
 *
 * Chromium on Linux reads `all_proxy=socks5://host:port`, and so `http_proxy` and `https_proxy`, as an HTTP proxy, and
 * drops a name and password. Whether a variable applies at all is left to Chromium (the desktop's settings go first,
 * `no_proxy` exempts hosts): only an answer that names the very host and port of a variable is corrected.
 */
export function systemRoutes(resolve: (url: string) => Promise<string>, env: NodeJS.ProcessEnv): RoutesTo {
  const named = ['all_proxy', 'http_proxy', 'https_proxy']
    .flatMap((name) => [env[name], env[name.toUpperCase()]])
    .flatMap((value) => readVariable(value ?? '') ?? [])
  return async (origin) => readRoutes(await resolve(`${origin}/`)).map((route) => corrected(route, named))
}

interface NamedProxy {
  scheme: string
  place: string
  login?: { name: string; password: string }
}

function readVariable(value: string): NamedProxy | null {
  const [, scheme = 'http', user, place] = /^(?:(\w+):\/\/)?(?:(.*)@)?([^/@]+)\/*$/.exec(value.trim()) ?? []
  if (place === undefined) return null
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user ?? '') ?? []
  return {
    scheme: scheme.toLowerCase(),
    // The port that Chromium takes where none is given, as it reads each variable as an HTTP proxy.
    place: (/:\d+$/.test(place) ? place : `${place}:80`).toLowerCase(),
    ...(name !== '' && { login: { name: decoded(name), password: decoded(password) } }),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function corrected(route: Route, all: readonly NamedProxy[]): Route {
  if (!('host' in route)) return route
  const place = `${route.host.includes(':') ? `[${route.host}]` : route.host}:${String(route.port)}`.toLowerCase()
  const named = all.filter((each) => each.place === place)
  const socks = named.find(({ scheme }) => scheme.startsWith('socks'))
  // A port that a variable names as an HTTP proxy as well speaks both protocols.
  const isSocks = route.kind === 'http' && socks !== undefined && !named.some(({ scheme }) => scheme.startsWith('http'))
  if (isSocks && socks.scheme.startsWith('socks4')) return { kind: 'unsupported' }
  const login = named.find((each) => each.login !== undefined)?.login
  return { ...route, ...(isSocks && { kind: 'socks5' }), ...(login !== undefined && { login }) }
}

/** Reads the result of a PAC file. */
export function readRoutes(words: string): Route[] {
  const routes = words
    .split(';')
    .map((route) => route.trim())
    .filter((route) => route !== '')
    .map(readRoute)
  return routes.length > 0 ? routes : [{ kind: 'direct' }]
}

const KINDS = new Map<string, Proxy['kind']>([
  ['PROXY', 'http'],
  ['HTTP', 'http'],
  ['HTTPS', 'https'],
  ['SOCKS5', 'socks5'],
])
const PORTS = { http: '80', https: '443', socks5: '1080' }

function readRoute(route: string): Route {
  const [word = '', place = '', ...more] = route.split(/\s+/)
  if (word.toUpperCase() === 'DIRECT' && place === '') return { kind: 'direct' }
  const kind = KINDS.get(word.toUpperCase())
  if (kind === undefined || more.length > 0) return { kind: 'unsupported' }
  const [, host = '', port = PORTS[kind]] = /^(\[[\d:a-f.]+\]|[^:/@[\]]+)(?::(\d{1,5}))?$/i.exec(place) ?? []
  if (host === '' || Number(port) > 65_535) return { kind: 'unsupported' }
  return { kind, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
