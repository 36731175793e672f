import ipaddr from 'ipaddr.js'

/** Whether a text is an address or a range, as an exclude list may have it. */
export const isIp = (text: string): boolean =>
  text.includes('/')
    ? ipaddr.isValidCIDR(text)
    : ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text))
