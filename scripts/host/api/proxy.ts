import { BlockList, isIP } from 'node:net'

/** The PAC words of what a proxy's URL may begin with; `socks` is SOCKS 5, as for Chromium. */
const WORDS: Record<string, [word: string, port: number]> = {
  http: ['PROXY', 80],
  https: ['HTTPS', 443],
  socks: ['SOCKS5', 1080],
  socks4: ['SOCKS', 1080],
  socks5: ['SOCKS5', 1080],
}

/**
 * What `session.resolveProxy` says, with the environment as the only settings there are: all_proxy, http_proxy,
 * https_proxy and no_proxy. As with Chromium, name and password in them are ignored. Throws for what it doesn't
 * understand, rather than going round a proxy that somebody wants.
 */
export function systemProxy(url: URL, env = process.env): string {
  const setting = (name: string): string => env[name] ?? env[name.toUpperCase()] ?? ''
  for (const name of ['auto_proxy', 'socks_server']) {
    if (setting(name) !== '') throw new Error(`the development host knows no ${name}`)
  }
  const { protocol, hostname } = url
  if (!['http:', 'https:'].includes(protocol) || isOwn(hostname)) return 'DIRECT'
  if (isExcepted(url, setting('no_proxy'))) return 'DIRECT'
  const proxy = setting('all_proxy') || setting(protocol === 'https:' ? 'https_proxy' : 'http_proxy')
  return proxy === '' ? 'DIRECT' : wordsOf(proxy)
}

function wordsOf(proxy: string): string {
  const [, scheme = 'http', host = '', port] =
    /^(?:([a-z\d]+):\/\/)?(?:[^@/]*@)?(\[[\d:a-f.]+\]|[^:/@[\]\s]+)(?::(\d{1,5}))?\/?$/i.exec(proxy.trim()) ?? []
  const [word, usual] = WORDS[scheme.toLowerCase()] ?? []
  // Not the setting itself: there may be a password in it.
  if (word === undefined || host === '')
    throw new Error('the development host cannot read the proxy of the environment')
  return `${word} ${host}:${port ?? String(usual)}`
}

const own = new BlockList()
own.addSubnet('127.0.0.0', 8)
own.addSubnet('169.254.0.0', 16)
own.addAddress('::1', 'ipv6')
own.addSubnet('fe80::', 10, 'ipv6')

/** This machine and its link: never by a proxy (Chromium's net/docs/proxy.md, "Implicit bypass rules"). */
function isOwn(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && own.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

function isExcepted({ protocol, hostname, port }: URL, list: string): boolean {
  const entries = list.split(',').map((entry) => entry.trim().toLowerCase())
  return entries.some((entry) => {
    if (entry === '') return false
    if (entry === '*') return true
    const [, name = '', only] = /^(?:\*?\.)?((?:\[[\d:a-f.]+\])|[\w.-]+)(?::(\d{1,5}))?$/.exec(entry) ?? []
    if (name === '') throw new Error(`the development host cannot read "${entry}" in no_proxy`)
    if (only !== undefined && only !== (port || (protocol === 'https:' ? '443' : '80'))) return false
    return hostname === name || (isIP(name) === 0 && hostname.endsWith(`.${name}`))
  })
}
