import type { WebsiteSettings } from '../../../shared/website.ts'
import { pickSettings } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { OutboxStore, Website } from '../ports.ts'

/** A website as the user sees it: the record with its pending edits applied. */
export interface ShownWebsite {
  settings: Partial<WebsiteSettings>
  /** True if a password is set or will be set; absent if the service does not show that. */
  password?: boolean
}

/** `edits`: all edits of the website, in order. */
export function overlay({ record }: Website, edits: readonly Edit[]): ShownWebsite {
  const { password = record?.password, ...waiting } = pendingValuesOf(edits)
  return { settings: { ...pickSettings(record ?? {}), ...waiting }, ...(password !== undefined && { password }) }
}

/** Empty if the website does not exist. */
export function shownSettingsOf(store: OutboxStore, key: string): Partial<WebsiteSettings> {
  const website = store.website(key)
  return website === null ? {} : overlay(website, store.editsOf(key)).settings
}

/** Returns the latest pending value of each field. `password` is true if a new one is pending. */
export function pendingValuesOf(edits: readonly Edit[]): Partial<WebsiteSettings> & { password?: true } {
  const waiting: ReturnType<typeof pendingValuesOf> = {}
  for (const edit of edits) {
    if (edit.kind === 'delete') continue
    Object.assign(waiting, edit.settings)
    if (edit.sealed !== null) waiting.password = true
  }
  return waiting
}
