import { m } from '../../../messages/index.ts'
import { formatDay } from '../../../shared/display/format.ts'
import { isolateText } from '../../../shared/display/visible.ts'
import type { CertificateSummary, NetworkSettings } from '../../../shared/network.ts'
import type { ErrorCode } from '../../../shared/result.ts'

/** Errors that the user can solve in the network settings. */
export const networkSettingErrors: readonly (ErrorCode | null)[] = ['proxy-login', 'client-certificate', 'certificate']

const proxies = { http: m.network_proxy_http, https: m.network_proxy_https, socks5: m.network_proxy_socks5 }

/** Returns the address of a proxy as text. An IPv6 address is put in brackets. */
export const proxyAddress = ({ host, port }: { host: string; port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${String(port)}`

/** Returns how requests reach the service: directly or through a proxy. Without a `route`, this is unknown. */
export function routeText(route: NetworkSettings['route']): string {
  switch (route?.kind) {
    case undefined:
      return m.network_route_unknown()
    case 'direct':
      return m.network_route_direct()
    case 'unsupported':
      return m.network_proxy_unsupported()
    case 'proxy':
      return proxies[route.protocol]({ proxy: isolateText(proxyAddress(route)) })
  }
}

/** Returns whose certificate it is, who issued it, and until when it is valid. */
export function certificateText({ subject, issuer, until, expired }: CertificateSummary): string {
  const texts = {
    subject: isolateText(subject),
    issuer: isolateText(issuer),
    date: formatDay(new Date(until).toISOString().slice(0, 10)),
  }
  return expired ? m.network_certificate_expired(texts) : m.network_certificate(texts)
}
