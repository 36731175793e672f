import type { WebsiteSettings } from '../../../shared/website.ts'
import { pickSettings } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore, Website } from '../ports.ts'

/** A website as the user sees it: the record with its pending edits applied. */
export interface ShownWebsite {
  settings: Partial<WebsiteSettings>
  /** True if a password is or will be set; absent if the service does not show that. */
  password?: boolean
}

/** Returns a website as the user sees it. `edits`: all edits of the website, in order. */
export function overlay({ record }: Website, edits: readonly Edit[]): ShownWebsite {
  const { password = record?.password, ...waiting } = pendingValuesOf(edits)
  return { settings: { ...pickSettings(record ?? {}), ...waiting }, ...(password !== undefined && { password }) }
}

/** Returns the settings of a website as the user sees them; none if it does not exist. */
export function shownSettingsOf(store: OutboxStore, key: string): Partial<WebsiteSettings> {
  const website = store.website(key)
  return website === null ? {} : overlay(website, store.editsOf(key)).settings
}

/** Returns the pending values of a website, the latest of each field. `password` is true if a new one is pending. */
export function pendingValuesOf(edits: readonly Edit[]): Partial<WebsiteSettings> & { password?: true } {
  const waiting: ReturnType<typeof pendingValuesOf> = {}
  for (const edit of edits) {
    if (edit.kind === 'delete') continue
    Object.assign(waiting, edit.settings)
    if (edit.sealed !== null) waiting.password = true
  }
  return waiting
}
