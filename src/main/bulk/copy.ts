import { type AccountCopyResult, type AccountCopyPreview, type ProtectedCopyPrivacy } from '../../shared/bulk.ts'
import { comparableDomain } from '../../shared/domain.ts'
import { ok, type Result } from '../../shared/result.ts'
import { createDefaults, PRIVACY, settingNames, type WebsiteDraft, type WebsiteView } from '../../shared/website.ts'
import type { Outbox } from '../outbox/contract.ts'
import type { View } from '../replica/view.ts'
import { slices } from '../../shared/slices.ts'
import type { Bulk } from './bulk.ts'
import { pickNamed } from '../outbox/model/compare.ts'

/** Number of websites that are read in one turn of the event loop. */
const SLICE = 100

/** The account from which websites are copied. */
interface Source {
  view: Pick<View, 'get'>
}

/** The account that gets the copies. */
interface Target {
  outbox: Pick<Outbox, 'takenDomains'>
  bulk: Pick<Bulk, 'create'>
}

/** Returns what copying each website to another account would do, without queuing anything. Errors: `storage`. */
export async function previewCopy(
  { view }: Source,
  target: Pick<Target, 'outbox'>,
  keys: readonly string[],
): Promise<Result<AccountCopyPreview>> {
  const websites: { key: string; website: WebsiteView | null }[] = []
  for await (const slice of slices([...new Set(keys)], SLICE)) {
    websites.push(...slice.map((key) => ({ key, website: view.get(key) })))
  }
  const domains = new Set(websites.flatMap(({ website }) => (website ? [comparableDomain(website.domain)] : [])))
  const taken = await target.outbox.takenDomains([...domains])
  if (!taken.ok) return taken
  const existing = new Set(taken.value)
  return ok(
    websites.map(({ key, website }) => {
      if (website === null) return { key, domain: '', effect: 'gone', unknown: [] }
      const domain = comparableDomain(website.domain)
      const effect = existing.has(domain) ? 'exists' : website.privacy === PRIVACY.password ? 'protected' : 'copied'
      // If two websites have the same domain, only the first one is copied.
      existing.add(domain)
      const unknown = effect === 'exists' ? [] : settingNames.filter((name) => website[name] === undefined)
      return { key, domain: website.domain, effect, unknown }
    }),
  )
}

/**
 * Queues copies of websites in another account, as one bulk change of that account. Domains that exist there are skipped.
 * `protectedAs`: the privacy of the copies of password-protected websites; null skips these websites. Errors: `storage`; those of
 * single websites are reported in `refused`.
 */
export async function copyWebsites(
  source: Source,
  target: Target,
  keys: readonly string[],
  protectedAs: ProtectedCopyPrivacy,
): Promise<Result<AccountCopyResult>> {
  const preview = await previewCopy(source, target, keys)
  if (!preview.ok) return preview
  const drafts: WebsiteDraft[] = []
  for await (const slice of slices(preview.value, SLICE)) {
    for (const { key, effect } of slice) {
      const website = source.view.get(key)
      const change = effect === 'copied' ? {} : effect === 'protected' ? protectedAs : null
      if (website === null || change === null) continue
      drafts.push({ ...createDefaults, ...pickNamed(website, settingNames), ...change, domain: website.domain })
    }
  }
  const { bulkChange, created, refused } = await target.bulk.create(drafts)
  return ok({
    bulkChange,
    created,
    refused: refused.map(({ row, error }) => ({ domain: drafts[row]?.domain ?? '', error })),
  })
}
