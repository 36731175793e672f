import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import type { OutboxPorts } from '../ports.ts'

/**
 * Confirms that a website that was not found is gone: address, key and account are fine, a second read is answered "not found"
 * too (a gateway may have answered the first), and the list lacks the website. Returns an error if this cannot be determined.
 */
export async function confirmGone(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  { id, domain }: Pick<WebsiteRecord, 'id' | 'domain'>,
  first: AppError,
): Promise<'gone' | 'present' | AppError> {
  if (!(await connectivity.probe())) return first
  const second = await service.get(id)
  if (second.outcome === 'applied') return 'present'
  if (second.outcome !== 'notApplied' || second.error.code !== 'not-found') return second.error
  const list = await service.list({ search: domain, search_by: 'domain', per_page: 100 })
  if (list.outcome !== 'applied') return list.error
  return list.value.websites.some((website) => website.id === id) ? 'present' : 'gone'
}

/**
 * Returns what is wrong with the connection. Null if address, key and account are fine and the list can be read: a refusal is
 * then about the edit itself (docs/sync.md#refused-requests).
 */
export async function findConnectionProblem(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  first: AppError,
): Promise<AppError | null> {
  if (!(await connectivity.probe())) return first
  const list = await service.list({ per_page: 10 })
  return list.outcome === 'applied' ? null : list.error
}
