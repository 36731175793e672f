import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the folder of the record of a whole test run: the data and output of the app and its arguments, for the search at the
 * end (canary.spec.ts). `typed` has the secrets to search for, and is not searched.
 */
const recordFolder = (): string => {
  const folder = process.env['SITEWARD_E2E_RECORD']
  if (folder === undefined) throw new Error('record-of-run.ts has not run: use the project’s playwright.config.ts')
  return folder
}

export const searchedParts = ['user-data', 'outward', 'console', 'output', 'window', 'processes', 'exports'] as const
/** `specs`: the spec files that took part in the run. `chosen`: the files that the app was told to write. */
type Part = (typeof searchedParts)[number] | 'typed' | 'specs' | 'chosen'

export function partFolder(part: Part): string {
  const folder = join(recordFolder(), part)
  mkdirSync(folder, { recursive: true })
  return folder
}

export function linesOf(part: Part): string[] {
  const folder = partFolder(part)
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
}

/** Copies the files that the app exported, before their test removes them. */
export function keepExports(): void {
  for (const line of linesOf('chosen')) {
    const file = JSON.parse(line) as string
    if (existsSync(file)) copyFileSync(file, join(partFolder('exports'), file.replaceAll(/[\\/:]/g, '_')))
  }
}

export const keep = (part: Part, text: string): void =>
  appendFileSync(join(partFolder(part), String(process.pid)), `${text}\n`)
