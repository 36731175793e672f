import { normaliseDomain } from '../../shared/domain.ts'
import { PRIVACY } from '../../shared/website.ts'
import type { CheckedRequest } from '../../preload/bridge.ts'
import type { EditView } from '../../shared/edit.ts'
import { MASKED } from '../outbox/present.ts'
import type { DescribedRequest } from '../outbox/ports.ts'
import { createRequest, updateRequest } from '../service/requests.ts'

/**
 * The request that saving would lead to, as the service client would make it: with what waits for the same website already,
 * as it goes into one edit (docs/sync.md#coalescing). Of a password only that there is one is known. `id`: the
 * website's on the service.
 */
export function previewOf(
  { changes, draft, masked }: CheckedRequest<'previewSave'>,
  id: string | null,
  edits: readonly EditView[],
): DescribedRequest {
  if (draft !== undefined) {
    const domain = normaliseDomain(draft.domain) ?? draft.domain
    return createRequest({ ...draft, domain, ...(masked && { password: MASKED }) })
  }
  const last = edits.at(-1)
  const waiting = last?.kind === 'update' && ['queued', 'held', 'parked'].includes(last.state) ? last : undefined
  const settings = { ...waiting?.settings, ...changes }
  const isKept = waiting?.password === true && (settings.privacy ?? PRIVACY.password) === PRIVACY.password
  // Privacy and password are one: a password never goes without its privacy.
  const secret = masked || isKept ? { privacy: PRIVACY.password, password: MASKED } : {}
  return updateRequest(id ?? '…', { ...settings, ...secret })
}
