import { settingNames, type SettingName, type WebsiteRecord, type WebsiteSettings } from '../../../shared/website.ts'
import { listNames } from '../../../shared/fields.ts'
import { meansSame, namesIn, pickNamed } from './compare.ts'
import type { Base, Edit } from './edit.ts'
import { areSameLines, mergeLines } from './merge-lines.ts'
import { hasMoved } from '../reconcile/merge.ts'

/** Returns the fields of an edit for which the service has another value, with that value. */
export const ignoredOf = (edit: Pick<Edit, 'settings'>, remote: WebsiteRecord): Partial<WebsiteSettings> =>
  pickNamed(remote, differingFields(edit.settings, remote))

/** Returns the fields of an edit for which the service has the edit's value. */
export const arrivedOf = (
  { settings }: Pick<Edit, 'settings'>,
  remote: Partial<WebsiteSettings>,
): Partial<WebsiteSettings> =>
  pickNamed(
    remote,
    namesIn(settings).filter((name) => meansSame(remote, settings, name)),
  )

/**
 * Returns what a later read shows differently from an edit that was accepted with an empty answer. A list that contains all our
 * changes counts as accepted: other clients have added the rest since.
 */
export function ignoredByRead(edit: Pick<Edit, 'kind' | 'settings' | 'base'>, remote: WebsiteRecord) {
  const ignored = ignoredOf(edit, remote)
  for (const name of listNames) {
    const [ours, theirs] = [edit.settings[name], remote[name]]
    const base = edit.kind === 'create' ? [] : edit.base.settings[name]
    if (ours === undefined || theirs === undefined || base === undefined) continue
    if (areSameLines(mergeLines({ base, theirs, ours }), theirs)) Reflect.deleteProperty(ignored, name)
  }
  return ignored
}

/**
 * True if the website has changed since the user saw it, so that it is not deleted without asking
 * (docs/sync.md#website-changed-before-a-delete).
 */
export const hasChangedSince = (base: Base, remote: WebsiteRecord): boolean =>
  hasMoved(base, remote) || differingFields(base.settings, remote).length > 0

/** Returns the fields that both have with different values. */
export const differingFields = (ours: Partial<WebsiteSettings>, remote: Partial<WebsiteSettings>): SettingName[] =>
  settingNames.filter(
    (name) => ours[name] !== undefined && remote[name] !== undefined && !meansSame(remote, ours, name),
  )
