import type { WebsiteRecord } from '../../shared/website.ts'
import type { Outcome } from '../service/outcome.ts'
import type { Edit } from './edit.ts'
import type { OutboxPorts } from './ports.ts'
import { deleted, park, wait, type Verdict } from './verdict.ts'

/** What an edit comes to whose website can't be read before it's sent (sync.md, "Failure by failure"). `id`: the service's. */
export async function judgeUnread(
  { connectivity, service }: Pick<OutboxPorts, 'connectivity' | 'service'>,
  { kind, id }: { kind: Edit['kind']; id: string },
  { outcome, error }: Exclude<Outcome<WebsiteRecord>, { outcome: 'applied' }>,
): Promise<Verdict> {
  if (outcome === 'inDoubt') {
    if (connectivity.gate().open) await connectivity.probe()
    return wait(error)
  }
  const isOfEdit = ['not-found', 'forbidden', 'refused', 'invalid'].includes(error.code)
  if (!isOfEdit || !(await connectivity.probe())) return wait(error)
  if (error.code !== 'not-found') return park('refused', error)
  // Nothing of ours was sent that could have deleted it: once more, as something on the way may have answered.
  const second = await service.get(id)
  if (second.outcome === 'applied' || second.error.code !== 'not-found') return wait(error)
  return kind === 'delete' ? deleted : park('gone', error)
}
