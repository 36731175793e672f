import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The record of one run of the whole suite: what the app kept, said and was started with, for the search at its end
 * (canary.spec.ts). `typed` is what must not be found, and isn't searched itself.
 */
const recordFolder = (): string => {
  const folder = process.env['SITEWARD_E2E_RECORD']
  if (folder === undefined) throw new Error('record-of-run.ts has not run: use the project’s playwright.config.ts')
  return folder
}

export const searchedParts = ['user-data', 'outward', 'console', 'output', 'window', 'processes', 'exports'] as const
type Part = (typeof searchedParts)[number] | 'typed' | 'specs' | 'chosen'

export function partFolder(part: Part): string {
  const folder = join(recordFolder(), part)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** What a part holds, line by line. */
export function linesOf(part: Part): string[] {
  const folder = partFolder(part)
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
}

/** The files that the app was told to write, before their test takes them away. */
export function keepExports(): void {
  for (const line of linesOf('chosen')) {
    const file = JSON.parse(line) as string
    if (existsSync(file)) copyFileSync(file, join(partFolder('exports'), file.replaceAll(/[\\/:]/g, '_')))
  }
}

/** One more piece of it. */
export const keep = (part: Part, text: string): void =>
  appendFileSync(join(partFolder(part), String(process.pid)), `${text}\n`)
