import { z } from 'zod'
import { editKindSchema } from '../../shared/edit.ts'
import {
  settingNames,
  websiteSettingsSchema,
  type SettingName,
  type WebsiteRecord,
  type WebsiteSettings,
} from '../../shared/website.ts'
import { meansSame, pickSettings, pickTouched } from './compare.ts'
import { sentNoteSchema, type Base, type Edit } from './edit.ts'
import type { OutboxStore } from './ports.ts'

const sealed = z.custom<Uint8Array>((value) => value instanceof Uint8Array).nullable()

/** A request of ours that was in doubt and was given up: it may still land (sync.md, the row "zombie"). */
export const straySchema = z.object({
  /** Given by the store, in order. */
  n: z.number().int(),
  /** The edit that it was made for. */
  edit: z.string(),
  /** Local key of the website, which may be gone. */
  website: z.string(),
  domain: z.string(),
  kind: editKindSchema,
  /** What it carries. */
  settings: websiteSettingsSchema.partial(),
  /** The statistics password that it carries, sealed; erased with it. */
  sealed,
  sent: sentNoteSchema.nullable(),
  /** What the fields that it carries should be, for all that is known: as last acknowledged, or seen from others. */
  expected: websiteSettingsSchema.partial(),
  /** Our newest password, where it was acknowledged after this request was given up. */
  newest: sealed,
  /** `updated_at` of the service's record as we last acknowledged it. */
  updated_at: z.string().nullable(),
})
export type Stray = z.infer<typeof straySchema>

/**
 * Remembers the request of an edit that was in doubt and is given up: settled as not applied, parked, or superseded. In
 * the transaction that does so; `edit` as that request carried it, `base`: what is there now, as far as a read has told.
 */
export function rememberStray(store: OutboxStore, edit: Edit, base: Base = edit.base): void {
  const website = store.website(edit.website)
  const carried = JSON.stringify(edit.settings)
  // What has arrived of it is from now on as it should be.
  const arrived = Object.fromEntries(
    Object.entries(pickSettings(edit.settings)).filter(([name]) =>
      meansSame(base.settings, edit.settings, name as SettingName),
    ),
  )
  // The same request, made again: one look at it is enough.
  for (const other of store.straysOf(edit.website)) {
    if (other.edit === edit.id && JSON.stringify(other.settings) === carried) store.removeStray(other.n)
    else store.saveStray({ ...other, expected: { ...other.expected, ...pickTouched(arrived, other.settings) } })
  }
  store.addStray({
    edit: edit.id,
    website: edit.website,
    domain: website?.domain ?? '',
    kind: edit.kind,
    settings: edit.kind === 'delete' ? {} : edit.settings,
    sealed: edit.kind === 'delete' ? null : edit.sealed,
    sent: edit.sent,
    expected: pickTouched(pickSettings(base.settings), edit.settings),
    newest: null,
    updated_at: website?.record?.updated_at ?? null,
  })
}

/**
 * An edit was acknowledged: from here on its values are what the fields of the strays of its website should be; of the other
 * fields, what a stray doesn't carry itself was written by others. In the transaction of the acknowledgement.
 */
export function accountStrays(store: OutboxStore, edit: Edit, record: WebsiteRecord): void {
  for (const stray of store.straysOf(edit.website)) {
    if (stray.kind !== 'update') continue
    const seen = expectedAfter(stray, record)
    // A read that shows the stray's own value, and not ours, shows what it did.
    const harmed = settingNames.filter(
      (name) =>
        edit.settings[name] !== undefined &&
        meansSame(record, stray.settings, name) &&
        !meansSame(edit.settings, stray.settings, name),
    )
    const kept = Object.fromEntries(harmed.map((name) => [name, edit.settings[name]]))
    const ours = pickTouched({ ...edit.settings, ...pickSettings(record), ...kept }, edit.settings)
    store.saveStray({
      ...stray,
      expected: { ...seen, ...pickTouched(ours, stray.settings) },
      newest: stray.sealed !== null && edit.sealed !== null ? edit.sealed : stray.newest,
      updated_at: record.updated_at ?? null,
    })
  }
}

/** What a stray's fields should be after a read: a value that it doesn't carry, it can't have written. */
export function expectedAfter({ settings, expected }: Stray, record: WebsiteRecord): Partial<WebsiteSettings> {
  const others = Object.entries(pickTouched(record, settings)).filter(
    ([name]) => !meansSame(record, settings, name as SettingName),
  )
  return { ...expected, ...Object.fromEntries(others) }
}

/** Another password of ours was acknowledged since. */
export const carriesOldPassword = ({ sealed, newest }: Stray): boolean =>
  sealed !== null && newest !== null && Buffer.compare(sealed, newest) !== 0
