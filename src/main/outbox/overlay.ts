import type { WebsiteSettings } from '../../shared/website.ts'
import { pickSettings } from './compare.ts'
import type { Edit } from './edit.ts'
import type { Website } from './ports.ts'

/** A website as the person sees it: the record with what waits to be sent laid over it. */
export interface Shown {
  settings: Partial<WebsiteSettings>
  /** Whether a password is, or will be, set; absent: the service doesn't say. */
  password?: boolean
}

export function overlay(website: Website, edits: readonly Edit[]): Shown {
  const shown: Shown = { settings: pickSettings(website.record ?? {}) }
  if (website.record?.password !== undefined) shown.password = website.record.password
  for (const edit of edits) {
    if (edit.kind === 'delete') continue
    Object.assign(shown.settings, edit.settings)
    if (edit.sealed !== null) shown.password = true
  }
  return shown
}
