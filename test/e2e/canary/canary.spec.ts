import { expect, test } from '@playwright/test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { planted } from '../support/planted.ts'
import { linesOf, partFolder, searchedParts } from './record.ts'
import { search, spellings } from './search.ts'

/** Runs after all other tests (playwright.config.ts, `teardown`), on the data that they have left. */

/** Minimum length of a secret; shorter ones occur in other text by chance. */
const SHORTEST = 10

const typed = linesOf('typed').map((line) => JSON.parse(line) as [field: string, secret: string])
const secrets = [...new Set([...Object.values(planted), ...typed.map(([, secret]) => secret)])].filter(
  (secret) => secret.length >= SHORTEST,
)

test('no API key and no statistics password of the whole run is in the data, the logs, the window, or a command line', () => {
  const found = searchedParts.flatMap((part) => search(partFolder(part), secrets))
  expect(found).toEqual([])
})

/** A text that each spec certainly leaves. After a partial run, only the specs that took part are checked. */
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
    // Only Linux shows the arguments of processes.
    if (process.platform === 'linux') isFound('processes', '--user-data-dir=')
  },
  'edits.spec.ts'() {
    expect(typed).toContainEqual(['password', planted.password])
    // The password was in the file of a connection that was removed after its test.
    isFound('user-data', 'harbour-light.example')
  },
  'security-page.spec.ts'() {
    isFound('console', 'the canary’s own word')
    isFound('output', 'the canary’s own word')
  },
  'transfer.spec.ts': () => isFound('exports', 'siteward-pending'),
}

/** The same search finds these texts. */
const isFound = (part: (typeof searchedParts)[number], known: string): void =>
  expect(search(partFolder(part), [known]), part).not.toEqual([])

for (const [spec, check] of Object.entries(left)) {
  test(`the search covers the data of ${spec}`, () => {
    expect(readdirSync(join(import.meta.dirname, '..'))).toContain(spec)
    test.skip(!linesOf('specs').includes(spec), 'it was not run')
    check()
  })
}

test('the search finds a secret in every encoding, also within other text', () => {
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
