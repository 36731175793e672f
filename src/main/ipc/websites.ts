import { fail, ok } from '../../shared/result.ts'
import { STATISTICS_TEMPLATE, statisticsAddress } from '../../shared/statistics-address.ts'
import type { Settings } from '../../shared/state.ts'
import type { Connections } from '../connection/connections.ts'
import { requestPreviewOf } from './preview.ts'
import type { Handlers } from './registrar.ts'

type HandledCommand =
  | 'listWebsites'
  | 'listKeys'
  | 'findInOtherAccounts'
  | 'getWebsite'
  | 'createWebsite'
  | 'correctWebsite'
  | 'updateWebsite'
  | 'deleteWebsite'
  | 'previewSave'
  | 'refresh'
  | 'openWebsite'

/**
 * Returns the handlers of commands about websites. Reads use the view and writes the outbox, so none waits for the
 * network.
 */
export function websiteHandlers(
  connections: Connections,
  openLink: (url: string) => void,
  settings: () => Pick<Settings, 'statisticsAddresses'>,
): Pick<Handlers, HandledCommand> {
  return {
    listWebsites: (query) => connections.active()?.view.find(query) ?? fail('no-connection'),
    listKeys: ({ from, count, ...query }) =>
      connections.active()?.view.keys(query, from, count) ?? fail('no-connection'),
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
    getWebsite: ({ key }) => {
      const connection = connections.active()
      return connection === null ? fail('no-connection') : connection.view.website(key)
    },
    createWebsite: async (draft) => {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const key = await connection.outbox.create(draft)
      return key.ok ? connection.view.website(key.value) : key
    },
    updateWebsite: async ({ key, changes, seen }) => {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const queued = await connection.outbox.update(key, changes, seen)
      return queued.ok ? connection.view.website(key) : queued
    },
    correctWebsite: async ({ key, draft, seen }) => {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const corrected = await connection.outbox.correct(key, draft, seen)
      return corrected.ok ? connection.view.website(key) : corrected
    },
    deleteWebsite: ({ key }) => connections.active()?.outbox.delete(key) ?? fail('no-connection'),
    previewSave: (request) => {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      if (request.key === null) return ok(describeRequest(request, null, []))
      const website = connection.view.website(request.key)
      const waiting = connection.outbox.list({ page: 1, per_page: 100, website: request.key })
      if (!website.ok) return website
      return waiting.ok ? ok(describeRequest(request, website.value.id, waiting.value.edits)) : waiting
    },
    openWebsite: ({ key, page }) => {
      const [connection, service] = [connections.active(), connections.view()]
      if (connection === null || service === null) return fail('no-connection')
      const website = connection.view.website(key)
      if (!website.ok) return website
      const { domain, id } = website.value
      const template =
        page === 'website' ? 'https://{domain}/' : (settings().statisticsAddresses[service.id] ?? STATISTICS_TEMPLATE)
      // A service may return a domain that isn't a valid one.
      const url = statisticsAddress(template, { service: service.address, domain, id: id ?? '' })
      return url === null ? fail('bad-address') : ok(openLink(url))
    },
    refresh: () => {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      connection.reach.retryNow()
      return ok(connection.refresh.request())
    },
  }
}

const describeRequest = (...args: Parameters<typeof requestPreviewOf>) => {
  const { method, path, form = [] } = requestPreviewOf(...args)
  return { method, path, form }
}
