import type { WebsiteRecord, WebsiteSettings } from '../../shared/website.ts'
import { newEdit, type Stamp } from './commands.ts'
import { pickTouched } from './compare.ts'
import type { Edit } from './edit.ts'

/**
 * What is sent a second time, once, because the service accepted an edit and kept something else (sync.md, "Failure by
 * failure"): the same edit, or an update that follows a create, under the id of the stamp.
 */
export function resend(edit: Edit, there: WebsiteRecord, ignored: Partial<WebsiteSettings>, stamp: Stamp): Edit {
  const settings = pickTouched(edit.settings, ignored)
  const base = {
    settings: { ...edit.base.settings, ...ignored },
    ...(there.updated_at !== undefined && { updated_at: there.updated_at }),
  }
  if (edit.kind === 'create') {
    const update = newEdit(edit.website, stamp, {
      kind: 'update',
      settings,
      sealed: null,
      base: { ...base, settings: ignored },
    })
    return { ...update, seq: edit.seq, note: { resent: { settings: {}, password: false } } }
  }
  const resent = { settings: edit.settings, password: edit.sealed !== null }
  return {
    ...edit,
    settings,
    sealed: null,
    base,
    standing: { state: 'queued' },
    note: { ...edit.note, resent },
  }
}
