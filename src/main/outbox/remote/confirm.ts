import type { AppError } from '../../../shared/result.ts'
import type { WebsiteRecord } from '../../../shared/website.ts'
import type { OutboxPorts } from '../ports.ts'

/**
 * Confirms that a website which was not found is gone. Address, key and account are checked. A second read must not find the
 * website either, because a gateway may have answered the first read. The list must not contain it. Returns an error if this
 * cannot be determined.
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
 * Returns null if a refusal is about the edit itself: address, key and account are checked, and the list can be read
 * (docs/sync.md#refused-requests). Otherwise returns what is wrong with the connection.
 */
export async function findConnectionProblem(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  first: AppError,
): Promise<AppError | null> {
  if (!(await connectivity.probe())) return first
  const list = await service.list({ per_page: 10 })
  return list.outcome === 'applied' ? null : list.error
}
