import type { WebsiteSettings } from '../../../shared/website.ts'
import { pickSettings } from '../model/compare.ts'
import type { Edit } from '../model/edit.ts'
import type { Website } from '../ports.ts'

/** A website as the user sees it: the record with what waits to be sent laid over it. */
export interface Shown {
  settings: Partial<WebsiteSettings>
  /** Whether a password is, or will be, set; absent: the service doesn't say. */
  password?: boolean
}

export function overlay({ record }: Website, edits: readonly Edit[]): Shown {
  const { password = record?.password, ...waiting } = waitingOf(edits)
  return { settings: { ...pickSettings(record ?? {}), ...waiting }, ...(password !== undefined && { password }) }
}

/** What waits to be sent of a website, the last word of each field; `password`: one is among it. */
export function waitingOf(edits: readonly Edit[]): Partial<WebsiteSettings> & { password?: true } {
  const waiting: ReturnType<typeof waitingOf> = {}
  for (const edit of edits) {
    if (edit.kind === 'delete') continue
    Object.assign(waiting, edit.settings)
    if (edit.sealed !== null) waiting.password = true
  }
  return waiting
}
