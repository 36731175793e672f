import { lookup as system, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

const THIS_MACHINE: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * The system's, but for `localhost` and what ends in it: that is this machine whatever a resolver says (RFC 6761, "localhost."), since plain
 * http to it is taken to be safe; and it's both families, as a service there may listen on one of them alone.
 */
export const lookup: LookupFunction = (hostname, options, callback) => {
  if (!/^(.+\.)?localhost$/i.test(hostname)) system(hostname, options, callback)
  else if (options.all === true) process.nextTick(callback, null, THIS_MACHINE)
  else process.nextTick(callback, null, '127.0.0.1', 4)
}
