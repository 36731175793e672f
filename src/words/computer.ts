import type { ProxyView } from '../shared/state.ts'

/** What stands between this computer and the service. */
export function proxyWords(proxy: ProxyView | null): string {
  switch (proxy?.kind) {
    case undefined:
      return 'As this computer has it; it’s asked for once there is a connection.'
    case 'direct':
      return 'None: the service is reached directly.'
    case 'proxy':
      return `${proxy.host}:${String(proxy.port)}`
    case 'unsupported':
      return 'One that can’t be used: SOCKS, or settings that can’t be read.'
  }
}

export const computerWords = { title: 'As this computer has it', dates: 'Dates and times', proxy: 'Proxy' }
