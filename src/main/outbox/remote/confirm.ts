import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import type { OutboxPorts } from '../ports.ts'

/**
 * Whether a website that was answered as not found is gone: address, key and account are proven good, it isn't found when
 * asked for once more, as something on the way may have answered the first time, and the list, which can be read, hasn't got it
 * by its domain. An error: nobody can tell.
 */
export async function isGone(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  { id, domain }: Pick<WebsiteRecord, 'id' | 'domain'>,
  first: AppError,
): Promise<'gone' | 'there' | AppError> {
  if (!(await connectivity.probe())) return first
  const second = await service.get(id)
  if (second.outcome === 'applied') return 'there'
  if (second.outcome !== 'notApplied' || second.error.code !== 'not-found') return second.error
  const list = await service.list({ search: domain, search_by: 'domain', per_page: 100 })
  if (list.outcome !== 'applied') return list.error
  return list.value.websites.some((website) => website.id === id) ? 'there' : 'gone'
}

/**
 * An answer 403, 404 or 405 is about the edit only where address, key and account are proven good, and the list can be read
 * (docs/sync.md#delete-in-doubt). Null: it is; else what stands in the way.
 */
export async function connectionProblem(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  first: AppError,
): Promise<AppError | null> {
  if (!(await connectivity.probe())) return first
  const list = await service.list({ per_page: 10 })
  return list.outcome === 'applied' ? null : list.error
}
