/** What `session.resolveProxy` says of the proxy that the environment names: `DIRECT` or `PROXY host:port`. */
export function systemProxy({ protocol, hostname }: URL, env = process.env): string {
  const wanted = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = env[wanted] ?? env[wanted.toUpperCase()]
  if (!proxy || isExcepted(hostname, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return 'DIRECT'
  const { host, port, hostname: name } = new URL(proxy.includes('://') ? proxy : `http://${proxy}`)
  return `PROXY ${port === '' ? `${name}:80` : host}`
}

function isExcepted(hostname: string, list: string): boolean {
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return true
  const names = list.split(',').map((name) => name.trim().replace(/^\*?\./, ''))
  return names.some((name) => name === '*' || (name !== '' && (hostname === name || hostname.endsWith(`.${name}`))))
}
