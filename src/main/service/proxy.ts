import type { NetworkRoute } from '../../shared/state.ts'

/** A proxy. `http` and `https` are the protocols between the app and the proxy. */
export interface Proxy {
  kind: 'http' | 'https' | 'socks5'
  host: string
  port: number
  login?: { name: string; password: string }
}

/** One way to an origin. `unsupported` is another kind of proxy, or a setting that can't be read. */
export type Route = { kind: 'direct' } | Proxy | { kind: 'unsupported' }

/** Returns the system's routes to an origin, in order of preference. Called for each request, as networks change. */
export type RoutesTo = (origin: string) => Promise<Route[]>

/**
 * Returns the preferred route to an address without the proxy's login, for the window. `isStored` tells whether the user has
 * entered a login for a proxy.
 */
export async function preferredRouteView(
  routesTo: RoutesTo,
  address: string,
  isStored: (host: string, port: number) => boolean,
): Promise<NetworkRoute> {
  const routes = await routesTo(new URL(address).origin).catch((): Route[] => [{ kind: 'unsupported' }])
  const [first = { kind: 'direct' }] = routes
  if (!('host' in first)) return first
  const { kind: protocol, host, port } = first
  const login = isStored(host, port) ? 'stored' : first.login === undefined ? 'none' : 'environment'
  return { kind: 'proxy', protocol, host, port, login }
}

/**
 * Returns the routes that Chromium resolves, corrected by the environment's proxy variables. `resolve` returns the result of
 * a PAC file (`PROXY host:port; DIRECT`), as Electron's `app.resolveProxy` does.
 *
 * Chromium on Linux takes `all_proxy=socks5://host:port` for an HTTP proxy, and also `http_proxy` and `https_proxy`, and
 * drops name and password. Chromium still decides whether a variable applies, as desktop settings and `no_proxy` come
 * first: a route is only corrected if it has the host and port of a variable.
 */
export function systemRoutes(resolve: (url: string) => Promise<string>, env: NodeJS.ProcessEnv): RoutesTo {
  const variables = ['all_proxy', 'http_proxy', 'https_proxy']
    .flatMap((name) => [env[name], env[name.toUpperCase()]])
    .flatMap((value) => readVariable(value ?? '') ?? [])
  return async (origin) => readRoutes(await resolve(`${origin}/`)).map((route) => corrected(route, variables))
}

/** A proxy variable of the environment, such as `http_proxy`. */
interface ProxyVariable {
  scheme: string
  /** Host and port, in lower case. */
  hostPort: string
  login?: { name: string; password: string }
}

/** Reads a proxy variable of the environment. Returns null if it names no address. */
function readVariable(value: string): ProxyVariable | null {
  const [, scheme = 'http', user, address] = /^(?:(\w+):\/\/)?(?:(.*)@)?([^/@]+)\/*$/.exec(value.trim()) ?? []
  if (address === undefined) return null
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user ?? '') ?? []
  return {
    scheme: scheme.toLowerCase(),
    // Chromium's default is port 80, as it takes each variable for an HTTP proxy.
    hostPort: (/:\d+$/.test(address) ? address : `${address}:80`).toLowerCase(),
    ...(name !== '' && { login: { name: decoded(name), password: decoded(password) } }),
  }
}

/** Returns the text without percent-encoding, or unchanged if it can't be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns a route with the kind and the login that a variable gives its proxy. */
function corrected(route: Route, variables: readonly ProxyVariable[]): Route {
  if (!('host' in route)) return route
  const hostPort = `${route.host.includes(':') ? `[${route.host}]` : route.host}:${String(route.port)}`.toLowerCase()
  const matching = variables.filter((each) => each.hostPort === hostPort)
  const socks = matching.find(({ scheme }) => scheme.startsWith('socks'))
  // If another variable names the same port as an HTTP proxy, the proxy speaks both protocols, and HTTP is kept.
  const speaksHttp = matching.some(({ scheme }) => scheme.startsWith('http'))
  const isSocks = route.kind === 'http' && socks !== undefined && !speaksHttp
  if (isSocks && socks.scheme.startsWith('socks4')) return { kind: 'unsupported' }
  const login = matching.find((each) => each.login !== undefined)?.login
  return { ...route, ...(isSocks && { kind: 'socks5' }), ...(login !== undefined && { login }) }
}

/** Parses the result of a PAC file. An empty result means `direct`. */
export function readRoutes(pacResult: string): Route[] {
  const routes = pacResult
    .split(';')
    .map((route) => route.trim())
    .filter((route) => route !== '')
    .map(readRoute)
  return routes.length > 0 ? routes : [{ kind: 'direct' }]
}

/** The kind of proxy for each keyword of a PAC file's result. */
const KIND_BY_KEYWORD = new Map<string, Proxy['kind']>([
  ['PROXY', 'http'],
  ['HTTP', 'http'],
  ['HTTPS', 'https'],
  ['SOCKS5', 'socks5'],
])
const DEFAULT_PORTS = { http: '80', https: '443', socks5: '1080' }

/** Parses one entry of the result, such as `PROXY host:port`. An entry that can't be read is `unsupported`. */
function readRoute(route: string): Route {
  const [keyword = '', address = '', ...more] = route.split(/\s+/)
  if (keyword.toUpperCase() === 'DIRECT' && address === '') return { kind: 'direct' }
  const kind = KIND_BY_KEYWORD.get(keyword.toUpperCase())
  if (kind === undefined || more.length > 0) return { kind: 'unsupported' }
  const [, host = '', port = DEFAULT_PORTS[kind]] = /^(\[[\d:a-f.]+\]|[^:/@[\]]+)(?::(\d{1,5}))?$/i.exec(address) ?? []
  if (host === '' || Number(port) > 65_535) return { kind: 'unsupported' }
  return { kind, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
