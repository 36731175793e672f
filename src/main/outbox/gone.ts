import type { AppError } from '../../shared/result.ts'
import type { OutboxPorts } from './ports.ts'

/**
 * Whether a website that was answered as not found is gone: address, key and account are proven good, it isn't found when
 * asked for once more, as something on the way may have answered the first time, and the list is. An error: nobody can tell.
 */
export async function isGone(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  id: string,
  first: AppError,
): Promise<'gone' | 'there' | AppError> {
  if (!(await connectivity.probe())) return first
  const second = await service.get(id)
  if (second.outcome === 'applied') return 'there'
  if (second.outcome !== 'notApplied' || second.error.code !== 'not-found') return second.error
  return (await listError(service)) ?? 'gone'
}

/**
 * An answer 403, 404 or 405 is about the edit only where address, key and account are proven good, and the list can be read
 * (sync.md, "Failure by failure"). Null: it is; else what stands in the way.
 */
export async function standsInTheWay(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  first: AppError,
): Promise<AppError | null> {
  if (!(await connectivity.probe())) return first
  return listError(service)
}

async function listError(service: OutboxPorts['service']): Promise<AppError | null> {
  const list = await service.list({ per_page: 10 })
  return list.outcome === 'applied' ? null : list.error
}
