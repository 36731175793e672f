import type { WebsiteRecord } from '../../../shared/website.ts'
import type { Outcome } from '../../service/outcome.ts'
import type { Edit } from '../model/edit.ts'
import { isGone, connectionProblem } from './confirm.ts'
import type { OutboxPorts } from '../ports.ts'
import { deleted, park, retryLater, type EditOutcome } from '../model/edit-outcome.ts'

/**
 * Returns the outcome of an edit whose website cannot be read before the edit is sent (docs/sync.md#refused-requests). `id` is
 * the service's.
 */
export async function judgeUnread(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  { kind, id, domain }: Pick<Edit, 'kind'> & Pick<WebsiteRecord, 'id' | 'domain'>,
  { outcome, error }: Exclude<Outcome<WebsiteRecord>, { outcome: 'applied' }>,
): Promise<EditOutcome> {
  if (outcome === 'inDoubt') {
    if (connectivity.gate().open) await connectivity.probe()
    return retryLater(error)
  }
  if (error.code === 'not-found') {
    const found = await isGone({ connectivity, service }, { id, domain }, error)
    if (found !== 'gone') return retryLater(found === 'present' ? error : found)
    return kind === 'delete' ? deleted : park('gone', error)
  }
  const isOfEdit = ['forbidden', 'refused', 'invalid'].includes(error.code)
  const other = isOfEdit ? await connectionProblem({ connectivity, service }, error) : error
  return other === null ? park('refused', error) : retryLater(other)
}
