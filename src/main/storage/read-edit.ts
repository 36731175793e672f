import { editKindSchema } from '../../shared/edit.ts'
import { websiteSettingsSchema } from '../../shared/website.ts'
import { editSchema, type Edit } from '../outbox/model/edit.ts'
import { readJson } from './json.ts'

export interface EditRow {
  seq: number
  id: string
  website: string
  kind: string
  settings: string
  sealed: Uint8Array | null
  base: string
  standing: string
  attempts: number
  sent: string | null
  note: string | null
  changed_at: number
}

/** Parses an edit from disk. The standing of one that this version doesn't understand is `unreadable`. */
export function readEdit(row: EditRow): Edit {
  const { id, seq, website, kind, sealed, attempts, note } = row
  const read = {
    ...{ id, seq, website, kind, sealed, attempts, changedAt: row.changed_at },
    settings: readJson(row.settings),
    base: readJson(row.base),
    standing: readJson(row.standing),
    sent: row.sent === null ? null : readJson(row.sent),
    ...(note !== null && { note: readJson(note) ?? null }),
  }
  return editSchema.safeParse(read).data ?? unreadable(row)
}

/** As much of it as the person can be shown. */
const unreadable = ({ id, seq, website, kind, settings, sealed, changed_at }: EditRow): Edit => ({
  id,
  seq,
  website,
  kind: editKindSchema.safeParse(kind).data ?? 'update',
  settings: websiteSettingsSchema.partial().safeParse(readJson(settings)).data ?? {},
  sealed: sealed instanceof Uint8Array ? sealed : null,
  base: { settings: {} },
  standing: { state: 'unreadable' },
  attempts: 0,
  sent: null,
  changedAt: typeof changed_at === 'number' ? changed_at : 0,
})
