import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The record of one run of the whole suite: what the app kept, said and was started with, for the search at its end
 * (canary.spec.ts). `typed` is what must not be found, and isn't searched itself.
 */
export const recordFolder = (): string => {
  const folder = process.env['SITEWARD_E2E_RECORD']
  if (folder === undefined) throw new Error('record-of-run.ts has not run: use the project’s playwright.config.ts')
  return folder
}

export const searchedParts = ['user-data', 'outward', 'console', 'output', 'window', 'processes'] as const
type Part = (typeof searchedParts)[number] | 'typed' | 'specs'

export function partFolder(part: Part): string {
  const folder = join(recordFolder(), part)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** One more piece of it. */
export const keep = (part: Part, text: string): void =>
  appendFileSync(join(partFolder(part), String(process.pid)), `${text}\n`)
