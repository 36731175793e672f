import { fail, ok } from '../../shared/result.ts'
import { STATISTICS_TEMPLATE, statisticsAddress } from '../../shared/statistics-address.ts'
import type { Settings } from '../../shared/state.ts'
import type { Connections } from '../connection/connections.ts'
import { requestPreviewOf } from './preview.ts'
import { forActiveConnection, typedHandlers } from './handlers.ts'

/** Reads use the view and writes the outbox, so that no command waits for the network. */
export function websiteHandlers(
  connections: Connections,
  openLink: (url: string) => void,
  settings: () => Pick<Settings, 'statisticsAddresses'>,
  copy: (text: string) => void,
  askKeychainAgain: () => void,
) {
  const active = forActiveConnection(connections)
  return typedHandlers({
    listWebsites: active(({ view }, query) => view.find(query)),
    listKeys: active(({ view }, { from, count, ...query }) => view.keys(query, from, count)),
    async findInOtherAccounts({ search }) {
      const query = { search, search_by: 'domain', sort_by: 'domain', sort: 'asc', per_page: 10, page: 1 } as const
      const otherConnections = connections.all().filter((connection) => connection !== connections.active())
      const found = await Promise.all(
        otherConnections.map(async ({ record, view }) => {
          const page = await view.find({ ...query, filters: [] })
          const name = connections.accounts().find(({ id }) => id === record.id)?.name ?? record.name
          return { account: record.id, name, websites: page.ok ? page.value.websites : [] }
        }),
      )
      return ok(found.filter(({ websites }) => websites.length > 0))
    },
    copyDomains: active(({ view }, { keys }) => {
      const domains = keys.flatMap((key) => view.get(key)?.domain ?? [])
      copy(domains.join('\n'))
      return ok(domains.length)
    }),
    getWebsite: active(({ view }, { key }) => view.website(key)),
    createWebsite: active(async ({ outbox, view }, draft) => {
      const key = await outbox.create(draft)
      return key.ok ? view.website(key.value) : key
    }),
    updateWebsite: active(async ({ outbox, view }, { key, changes, seen, seenAt }) => {
      const queued = await outbox.update(key, changes, seen, seenAt)
      return queued.ok ? view.website(key) : queued
    }),
    correctWebsite: active(async ({ outbox, view }, { key, draft, seen }) => {
      const corrected = await outbox.correct(key, draft, seen)
      return corrected.ok ? view.website(key) : corrected
    }),
    deleteWebsite: active(({ outbox }, { key }) => outbox.delete(key)),
    previewSave: active(({ outbox, view }, request) => {
      if (request.key === null) return ok(describeRequest(request, null, []))
      const website = view.website(request.key)
      const waiting = outbox.list({ page: 1, per_page: 100, website: request.key })
      if (!website.ok) return website
      return waiting.ok ? ok(describeRequest(request, website.value.id, waiting.value.edits)) : waiting
    }),
    openWebsite: ({ key, page }) => {
      const [connection, service] = [connections.active(), connections.view()]
      if (connection === null || service === null) return fail('no-connection')
      const website = connection.view.website(key)
      if (!website.ok) return website
      const { domain, id } = website.value
      const template =
        page === 'website' ? 'https://{domain}/' : (settings().statisticsAddresses[service.id] ?? STATISTICS_TEMPLATE)
      // Null if the service has returned an invalid domain.
      const url = statisticsAddress(template, { service: service.address, domain, id: id ?? '' })
      return url === null ? fail('bad-address') : ok(openLink(url))
    },
    refresh: active(({ reach, refresh }) => {
      // The keychain may have refused a client certificate or a proxy login, so it is asked again.
      askKeychainAgain()
      reach.retryNow()
      return ok(refresh.request())
    }),
  })
}

const describeRequest = (...args: Parameters<typeof requestPreviewOf>) => {
  const { method, path, form = [] } = requestPreviewOf(...args)
  return { method, path, form }
}
