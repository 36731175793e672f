import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { comparableDomain } from '../../../shared/domain.ts'
import { listNames } from '../../../shared/fields.ts'
import { meansSame, namesIn, pickNamed } from './compare.ts'
import { theirsOf, type Base, type Edit } from './edit.ts'
import { areSameLines, mergeLines } from './merge-lines.ts'
import { hasOtherUpdatedAt } from '../reconcile/merge.ts'

/** Returns the fields of an edit for which the service has another value, with that value. */
export const differingRemoteValues = (edit: Pick<Edit, 'settings'>, remote: WebsiteRecord): Partial<WebsiteSettings> =>
  pickNamed(remote, differingFields(edit.settings, remote))

/** Returns the fields of an edit for which the service has the edit's value. */
export const matchingRemoteValues = (
  { settings }: Pick<Edit, 'settings'>,
  remote: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> =>
  pickNamed(
    remote,
    namesIn(settings).filter((name) => meansSame(remote, settings, name)),
  )

/**
 * Returns the fields, with the service's values, in which a later read differs from an edit that the service accepted with an
 * empty answer. A list that has all lines we added and none that we removed counts as equal: other clients have made its other
 * changes since.
 */
export function differingValuesOfLaterRead(edit: Pick<Edit, 'kind' | 'settings' | 'base'>, remote: WebsiteRecord) {
  const ignored = differingRemoteValues(edit, remote)
  for (const name of listNames) {
    const [ours, theirs] = [edit.settings[name], remote[name]]
    const base = edit.kind === 'create' ? [] : edit.base.settings[name]
    if (ours === undefined || theirs === undefined || base === undefined) continue
    if (areSameLines(mergeLines({ base, theirs, ours }), theirs)) Reflect.deleteProperty(ignored, name)
  }
  return ignored
}

/**
 * Returns a test for the differing fields of a request: true for those that only another client can have changed. An `email` of true
 * may also be ignored by the service.
 */
export const remoteChangeTest =
  ({ email }: Partial<WebsiteSettings>) =>
  (name: SettingName): boolean =>
    name !== 'email' || email === false

/**
 * True if the website has changed since the user saw it, so that it is not deleted without asking
 * (docs/sync.md#website-changed-before-a-delete).
 */
export const hasChangedSince = (base: Base, remote: WebsiteRecord): boolean =>
  isOtherWebsite(base, remote) ||
  hasOtherUpdatedAt({ ...base, ...base.seen }, remote) ||
  differingFields({ ...base.settings, ...base.seen?.settings }, remote).length > 0

/** True if an edit was made or imported for another domain than that of the record, so that its id belongs to another website. */
export const isOtherWebsite = ({ domain }: Base, remote: Pick<WebsiteRecord, 'domain'>): boolean =>
  domain !== undefined && comparableDomain(domain) !== comparableDomain(remote.domain)

/**
 * Returns the domain that an edit is for once the user has decided about it: that of the record which the user was shown. Otherwise it
 * is the domain for which the edit was made or imported.
 */
export function domainAfterDecision(edit: Edit): string | undefined {
  const theirs = theirsOf(edit)
  return theirs !== null && isOtherWebsite(edit.base, theirs) ? theirs.domain : edit.base.domain
}

/** Returns the fields that both arguments have with different values. The order of a list's lines does not count. */
export const differingFields = (ours: Partial<WebsiteSettings>, remote: Partial<WebsiteSettings>): SettingName[] =>
  settingNames.filter(
    (name) => ours[name] !== undefined && remote[name] !== undefined && !meansSame(remote, ours, name),
  )
