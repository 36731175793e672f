import { expect, test } from '@playwright/test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { planted } from '../support/planted.ts'
import { linesOf, partFolder, searchedParts } from './record.ts'
import { search, spellings } from './search.ts'

/** Runs after all others (playwright.config.ts, `teardown`), over what they have left. */

/** Shorter ones stand in other words by chance. */
const SHORTEST = 10

const typed = linesOf('typed').map((line) => JSON.parse(line) as [field: string, secret: string])
const secrets = [...new Set([...Object.values(planted), ...typed.map(([, secret]) => secret)])].filter(
  (secret) => secret.length >= SHORTEST,
)

test('no API key and no statistics password of the whole run is in the data, the logs, the window, or a command line', () => {
  const found = searchedParts.flatMap((part) => search(partFolder(part), secrets))
  expect(found).toEqual([])
})

test('what was searched is what the run has left', () => {
  const specs = new Set(linesOf('specs'))
  const all = readdirSync(join(import.meta.dirname, '..')).filter((name) => name.endsWith('.spec.ts'))
  // A run of a few files need not have come by a key.
  if (all.some((name) => !specs.has(name))) return
  expect(typed).toContainEqual(['apiKey', planted.apiKey])
  expect(typed).toContainEqual(['password', planted.password])
  const outward = linesOf('outward').join('\n')
  for (const crossed of ['siteward:command:listWebsites', 'siteward:command:connect', 'siteward:event:state']) {
    expect(outward).toContain(crossed)
  }
  for (const [part, known] of knownIn) expect(search(partFolder(part), [known]), part).not.toEqual([])
})

/** Something that is surely there, found by the same search. */
const knownIn = [
  ['user-data', 'siteward.sqlite'],
  ['user-data', 'siteward.log'],
  ['outward', 'Northwind Agency'],
  ['console', 'the canary’s own word'],
  ['output', 'the canary’s own word'],
  ['window', 'Try with sample data'],
  ['processes', '--user-data-dir='],
  ['exports', 'siteward-pending'],
] as const

test('the search finds a secret however it is written, in the middle of other things', () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-canary-'))
  try {
    const secret = 'pläntd/key+?with all=of it'
    for (const [index, [way, bytes]] of spellings(secret).entries()) {
      const file = join(folder, String(index))
      writeFileSync(file, Buffer.concat([Buffer.from(`${'x'.repeat(index)}before`), bytes, Buffer.from('after')]))
      expect(search(folder, [secret]).map((found) => found.way)).toContain(way)
      rmSync(file)
    }
    for (const before of ['', 'a', 'ab', 'abc']) {
      writeFileSync(join(folder, 'mid'), Buffer.from(`${before}${secret}after`).toString('base64'))
      expect(search(folder, [secret])).not.toEqual([])
    }
    writeFileSync(join(folder, 'mid'), gzipSync('nothing of it'))
    expect(search(folder, [secret])).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
