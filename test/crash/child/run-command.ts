import type { OpenConnection } from '../../../src/main/connection/open-connection.ts'
import { fail, type Result } from '../../../src/shared/result.ts'
import { listQuerySchema, PRIVACY, type WebsiteView } from '../../../src/shared/website.ts'
import { lineOf, type Command } from '../protocol.ts'

export async function runCommand({ outbox, view }: OpenConnection, command: Command): Promise<Result<unknown>> {
  const { n, domain, email, password, params } = command
  const more = {
    ...(email !== undefined && { email }),
    ...(params !== undefined && { exclude_params: params }),
    ...(password !== undefined && { privacy: PRIVACY.password, password }),
  }
  if (command.kind === 'create') {
    const blank = { privacy: PRIVACY.private, email: false, exclude_bots: true, exclude_params: [] }
    return outbox.create({ domain, ...blank, exclude_ips: [lineOf(n)], ...more })
  }
  const website = websiteOf(view, domain)
  if (website === null) return fail('website-gone')
  if (command.kind === 'delete') return outbox.delete(website.key)
  if (command.secretOnly) return outbox.update(website.key, more)
  return outbox.update(website.key, { exclude_ips: [...(website.exclude_ips ?? []), lineOf(n)], ...more })
}

function websiteOf(view: OpenConnection['view'], domain: string): WebsiteView | null {
  const found = view.list({ ...listQuerySchema.parse({ search: domain, per_page: 100 }), page: 1 })
  return found.ok ? (found.value.websites.find((website) => website.domain === domain) ?? null) : null
}
