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

/** What a whole spec surely leaves, by that spec: a run of a few need not have come by the rest. */
const left: Record<string, () => void> = {
  'connect.spec.ts'() {
    expect(typed).toContainEqual(['apiKey', planted.apiKey])
    const outward = linesOf('outward').join('\n')
    for (const crossed of ['siteward:command:listWebsites', 'siteward:command:connect', 'siteward:event:state']) {
      expect(outward).toContain(crossed)
    }
    isFound('user-data', 'siteward.db')
    isFound('user-data', 'siteward.log')
    isFound('outward', 'Northwind Agency')
    isFound('window', 'Try with sample data')
    // No other system shows them.
    if (process.platform === 'linux') isFound('processes', '--user-data-dir=')
  },
  'edits.spec.ts'() {
    expect(typed).toContainEqual(['password', planted.password])
    // In the file of a connection that was removed after its test.
    isFound('user-data', 'harbour-light.example')
  },
  'security-page.spec.ts'() {
    isFound('console', 'the canary’s own word')
    isFound('output', 'the canary’s own word')
  },
  'transfer.spec.ts': () => isFound('exports', 'siteward-pending'),
}

/** By the same search. */
const isFound = (part: (typeof searchedParts)[number], known: string): void =>
  expect(search(partFolder(part), [known]), part).not.toEqual([])

for (const [spec, check] of Object.entries(left)) {
  test(`what was searched is what ${spec} has left`, () => {
    expect(readdirSync(join(import.meta.dirname, '..'))).toContain(spec)
    test.skip(!linesOf('specs').includes(spec), 'it was not run')
    check()
  })
}

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
