import { startShapedHost, type Shape } from './shaped-host.ts'
import type { Listen } from './test-host.ts'

const TIME = '2026-11-12 09:14:05'

/**
 * A host behind a proxy, below a path. Its links lead to another host over http and omit our parameters. The last page links to
 * itself. Page numbers are text, ids contain any character, times have no zone, and empty values are null. It shows
 * `exclude_params`.
 */
const shape: Shape = {
  prefix: '/stats/v2',
  id: (n) => `site:${String(n)}/ü ?#`,
  perPage: (requested) => requested,
  list: ({ websites, number, last, perPage, total }) => ({
    data: websites.map(record),
    links: { next: `http://inner.invalid:8080/other/websites?page=${String(Math.min(number + 1, last))}&cursor=a%26b` },
    meta: { current_page: String(number), per_page: String(perPage), total: String(total) },
  }),
  one: (website) => [200, { data: record(website), status: 200 }],
  written: (website, created) => [created ? 201 : 200, { data: record(website) }],
  deleted: () => [204],
  account: [200, { id: 'u/1', name: 'Acme', email: null, plan: null, created_at: TIME }],
  invalid: (message) => [422, { message, status: 422 }],
  refusal: (status, message) => [status, { message, status }],
}

const record = ({
  password,
  exclude_ips,
  exclude_params,
  email,
  exclude_bots,
  ...website
}: Parameters<Shape['one']>[0]) => ({
  ...website,
  object: 'website',
  password: password !== '',
  email: email ? '1' : '0',
  exclude_bots: exclude_bots ? 1 : 0,
  exclude_ips: exclude_ips || null,
  exclude_params: exclude_params || null,
  favorite: null,
  created_at: TIME,
  updated_at: null,
})

export const startProxiedHost = (websites: number, listen: Listen) =>
  startShapedHost('proxied', shape, websites, listen)
