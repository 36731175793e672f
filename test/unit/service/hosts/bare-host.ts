import { startShapedHost, type Shape } from './shaped-host.ts'
import type { Listen } from './test-host.ts'

const digits = (n: number): string => n.toString(16).padStart(12, '0')

/**
 * A host that answers as little as possible: bodies without an envelope, hexadecimal ids, switches as booleans, integers as text,
 * seven websites a page without page numbers, no account, and empty bodies after writes.
 */
const shape: Shape = {
  prefix: '',
  id: (n) => `0192d5f0-6d2c-7c3e-8f00-${digits(n)}`,
  perPage: (requested) => Math.min(requested, 7),
  list: ({ websites }) => websites.map(record),
  one: (website) => [200, record(website)],
  written: () => [204],
  deleted: () => [204],
  account: [404, { error: 'No such page.' }],
  invalid: (errors) => [422, { message: 'The given data was invalid.', errors }],
  refusal: (status, error) => [status, { error }],
}

function record({ id, domain, privacy, password, email, exclude_bots, exclude_ips }: Parameters<Shape['one']>[0]) {
  const lines = exclude_ips.replaceAll('\n', '\r\n')
  return { id, domain, privacy: String(privacy), password: password !== '', email, exclude_bots, exclude_ips: lines }
}

export const startBareHost = (websites: number, listen: Listen) => startShapedHost('bare', shape, websites, listen)
