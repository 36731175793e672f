import { comparableDomain } from '../../shared/domain.ts'
import { PRIVACY } from '../../shared/website.ts'
import type { CheckedRequest } from '../../preload/bridge.ts'
import type { EditView } from '../../shared/edit.ts'
import { MASKED } from '../outbox/present.ts'
import type { DescribedRequest } from '../outbox/ports.ts'
import { buildCreateRequest, buildUpdateRequest } from '../service/requests.ts'

/**
 * Returns the request that saving would send, including pending changes of the website (docs/sync.md#coalescing), with the
 * password masked. `id`: the website's id on the service. While it is null, the path has “…” in its place.
 */
export function requestPreviewOf(
  { changes, draft, masked }: CheckedRequest<'previewSave'>,
  id: string | null,
  edits: readonly EditView[],
): DescribedRequest {
  if (draft !== undefined) {
    const domain = comparableDomain(draft.domain)
    return buildCreateRequest({ ...draft, domain, ...(masked && { password: MASKED }) })
  }
  const last = edits.at(-1)
  const waiting = last?.kind === 'update' && ['queued', 'held', 'parked'].includes(last.state) ? last : undefined
  const settings = { ...waiting?.settings, ...changes }
  const hasPassword = waiting?.password === true && waiting.reason !== 'password'
  const isKept = hasPassword && (settings.privacy ?? PRIVACY.password) === PRIVACY.password
  // A password is only sent together with its privacy.
  const secret = masked || isKept ? { privacy: PRIVACY.password, password: MASKED } : {}
  return buildUpdateRequest(id ?? '…', { ...settings, ...secret })
}
