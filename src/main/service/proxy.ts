import type { NetworkRoute } from '../../shared/state.ts'

/** `http` and `https`: the protocol between the app and the proxy. */
export interface Proxy {
  kind: 'http' | 'https' | 'socks5'
  host: string
  port: number
  login?: { name: string; password: string }
}

/** `unsupported`: another kind of proxy, or a setting that can't be read. */
export type Route = { kind: 'direct' } | Proxy | { kind: 'unsupported' }

/** Returns the routes to an origin, the preferred one first. Called for each request, because networks change. */
export type RoutesTo = (origin: string) => Promise<Route[]>

/** For display, so without the login itself. `isStored`: true if the user has entered a login for the proxy. */
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
 * Returns the routes that Chromium resolves, corrected by proxy variables of the environment. `resolve`: `app.resolveProxy`,
 * which returns the result of a PAC file. Chromium on Linux takes SOCKS proxies in variables for HTTP proxies, and drops name and
 * password. It still decides if a variable applies, because desktop settings and `no_proxy` come first: only a route with the
 * host and port of a variable is corrected.
 */
export function systemRoutes(resolve: (url: string) => Promise<string>, env: NodeJS.ProcessEnv): RoutesTo {
  const variables = ['all_proxy', 'http_proxy', 'https_proxy']
    .flatMap((name) => [env[name], env[name.toUpperCase()]])
    .flatMap((value) => readVariable(value ?? '') ?? [])
  return async (origin) => readRoutes(await resolve(`${origin}/`)).map((route) => corrected(route, variables))
}

/** The proxy that an environment variable names, such as `HTTPS_PROXY`. */
interface ProxyVariable {
  scheme: string
  /** The host and the port of the proxy, in lower case. */
  hostPort: string
  login?: { name: string; password: string }
}

/** Parses the value of a proxy variable. Null if it names no address. */
function readVariable(value: string): ProxyVariable | null {
  const [, scheme = 'http', user, address] = /^(?:(\w+):\/\/)?(?:(.*)@)?([^/@]+)\/*$/.exec(value.trim()) ?? []
  if (address === undefined) return null
  const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user ?? '') ?? []
  return {
    scheme: scheme.toLowerCase(),
    // Chromium's default is port 80, because it takes each variable for an HTTP proxy.
    hostPort: (/:\d+$/.test(address) ? address : `${address}:80`).toLowerCase(),
    ...(name !== '' && { login: { name: decoded(name), password: decoded(password) } }),
  }
}

/** Unchanged if the text can't be decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Gives a route the kind and the login that a variable has for its proxy. */
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

/** Parses the result of a PAC file, such as `PROXY host:port; DIRECT`. An empty result means `direct`. */
export function readRoutes(pacResult: string): Route[] {
  const routes = pacResult
    .split(';')
    .map((route) => route.trim())
    .filter((route) => route !== '')
    .map(readRoute)
  return routes.length > 0 ? routes : [{ kind: 'direct' }]
}

/** The kinds of proxies by the keywords of a PAC result. */
const KIND_BY_KEYWORD = new Map<string, Proxy['kind']>([
  ['PROXY', 'http'],
  ['HTTP', 'http'],
  ['HTTPS', 'https'],
  ['SOCKS5', 'socks5'],
])
const DEFAULT_PORTS = { http: '80', https: '443', socks5: '1080' }

/** `route`: one entry of a PAC file's result. */
function readRoute(route: string): Route {
  const [keyword = '', address = '', ...more] = route.split(/\s+/)
  if (keyword.toUpperCase() === 'DIRECT' && address === '') return { kind: 'direct' }
  const kind = KIND_BY_KEYWORD.get(keyword.toUpperCase())
  if (kind === undefined || more.length > 0) return { kind: 'unsupported' }
  const [, host = '', port = DEFAULT_PORTS[kind]] = /^(\[[\d:a-f.]+\]|[^:/@[\]]+)(?::(\d{1,5}))?$/i.exec(address) ?? []
  if (host === '' || Number(port) > 65_535) return { kind: 'unsupported' }
  return { kind, host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
