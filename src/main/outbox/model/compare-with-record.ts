import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { comparableDomain } from '../../../shared/domain.ts'
import { listNames } from '../../../shared/fields.ts'
import { isSameIgnoringOrder, namesIn, pickNamed } from './compare.ts'
import { theirsOf, type Base, type Edit } from './edit.ts'
import { areSameLines, mergeLines } from './merge-lines.ts'
import { hasOtherUpdatedAt } from '../reconcile/merge.ts'

/** Returns the service's values that differ from those of the edit. */
export const differingRemoteValues = (edit: Pick<Edit, 'settings'>, remote: WebsiteRecord): Partial<WebsiteSettings> =>
  pickNamed(remote, differingFields(edit.settings, remote))

/** Returns the service's values that are equal to those of the edit. */
export const matchingRemoteValues = (
  { settings }: Pick<Edit, 'settings'>,
  remote: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> =>
  pickNamed(
    remote,
    namesIn(settings).filter((name) => isSameIgnoringOrder(remote, settings, name)),
  )

/**
 * Returns the service's values that differ from those of an applied edit, from a read after it. Other clients may have changed
 * lines of a list since, so a list with all lines that we added and none that we removed counts as equal.
 */
export function differingValuesInLaterRead(edit: Pick<Edit, 'kind' | 'settings' | 'base'>, remote: WebsiteRecord) {
  const ignored = differingRemoteValues(edit, remote)
  for (const name of listNames) {
    const [ours, theirs] = [edit.settings[name], remote[name]]
    const base = edit.kind === 'create' ? [] : edit.base.settings[name]
    if (ours === undefined || theirs === undefined || base === undefined) continue
    if (areSameLines(mergeLines({ base, theirs, ours }), theirs)) Reflect.deleteProperty(ignored, name)
  }
  return ignored
}

/** Tells which differing fields only another client can have changed: the service itself may ignore an `email` of true. */
export const remoteChangeTest =
  ({ email }: Partial<WebsiteSettings>) =>
  (name: SettingName): boolean =>
    name !== 'email' || email === false

/** True if the website must not be deleted without asking (docs/sync.md#website-changed-before-a-delete). */
export const hasChangedSince = (base: Base, remote: WebsiteRecord): boolean =>
  isOtherWebsite(base, remote) ||
  hasOtherUpdatedAt({ ...base, ...base.seen }, remote) ||
  differingFields({ ...base.settings, ...base.seen?.settings }, remote).length > 0

/** True if the edit was made or imported for another domain, so that its website id belongs to another website now. */
export const isOtherWebsite = ({ domain }: Base, remote: Pick<WebsiteRecord, 'domain'>): boolean =>
  domain !== undefined && comparableDomain(domain) !== comparableDomain(remote.domain)

/** Returns the domain of the record that the user was shown, or else the one that the edit was made or imported for. */
export function domainAfterDecision(edit: Edit): string | undefined {
  const theirs = theirsOf(edit)
  return theirs !== null && isOtherWebsite(edit.base, theirs) ? theirs.domain : edit.base.domain
}

/** Returns the fields that both arguments have with different values. The order of a list's lines does not count. */
export const differingFields = (ours: Partial<WebsiteSettings>, remote: Partial<WebsiteSettings>): SettingName[] =>
  settingNames.filter(
    (name) => ours[name] !== undefined && remote[name] !== undefined && !isSameIgnoringOrder(remote, ours, name),
  )
