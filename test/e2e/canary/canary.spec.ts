import { expect, test } from '@playwright/test'
import fc from 'fast-check'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { planted } from '../support/planted.ts'
import { linesOf, partFolder, searchedParts } from './record.ts'
import { createFinder, search } from './search.ts'

/** Runs after all other tests (playwright.config.ts, `teardown`), on the data that they have left. */
test.describe.configure({ mode: 'parallel' })

/** Minimum length of a secret; shorter ones occur in other text by chance. */
const SHORTEST = 10

const typed = linesOf('typed').map((line) => JSON.parse(line) as [field: string, secret: string])
const secrets = [...new Set([...Object.values(planted), ...typed.map(([, secret]) => secret)])].filter(
  (secret) => secret.length >= SHORTEST,
)

for (const part of searchedParts) {
  test(`no API key and no statistics password of the whole run is in the recorded data “${part}”`, () => {
    expect(search(partFolder(part), secrets)).toEqual([])
  })
}

/**
 * For each spec, by file name, a check that the search finds a text that the spec certainly leaves in the record. After a partial
 * run, only the specs that took part are checked.
 */
const left: Record<string, () => void> = {
  'connect.spec.ts'() {
    expect(typed).toContainEqual(['apiKey', planted.apiKey])
    const outward = linesOf('outward').join('\n')
    for (const crossed of ['siteward:command:listWebsites', 'siteward:command:connect', 'siteward:event:state']) {
      expect(outward).toContain(crossed)
    }
    expectFound('user-data', 'siteward.db')
    expectFound('user-data', 'siteward.log')
    expectFound('outward', 'Northwind Agency')
    expectFound('window', 'Try with sample data')
    // Only Linux shows the arguments of processes.
    if (process.platform === 'linux') expectFound('processes', '--user-data-dir=')
  },
  'edits.spec.ts'() {
    expect(typed).toContainEqual(['password', planted.password])
    // The file that had this password is searched, although its connection was removed after the test.
    expectFound('user-data', 'harbour-light.example')
  },
  'security-page.spec.ts'() {
    expectFound('console', 'the canary’s own word')
    expectFound('output', 'the canary’s own word')
  },
  'transfer.spec.ts': () => expectFound('exports', 'siteward-pending'),
}

/** Proves that the search for secrets works, with a text that is certainly in this part of the record. */
const expectFound = (part: (typeof searchedParts)[number], known: string): void =>
  expect(search(partFolder(part), [known]), part).not.toEqual([])

for (const [spec, check] of Object.entries(left)) {
  test(`the search for secrets covers the data of ${spec}`, () => {
    expect(readdirSync(join(import.meta.dirname, '..'))).toContain(spec)
    test.skip(!linesOf('specs').includes(spec), 'it was not run')
    check()
  })
}

test('the search finds a secret in every encoding, also within other text', () => {
  const secret = 'plänted key+/?"9'
  const encoded: Record<string, string | Buffer> = {
    plain: secret,
    JSON: String.raw`plänted key+/?\"9`,
    hex: '706cc3a46e746564206b65792b2f3f2239',
    'upper-case hex': '706CC3A46E746564206B65792B2F3F2239',
    'hex of UTF-16': '70006c00e4006e0074006500640020006b00650079002b002f003f0022003900',
    'URL encoding': 'pl%C3%A4nted%20key%2B%2F%3F%229',
    'URL encoding of a form': 'pl%C3%A4nted+key%2B%2F%3F%229',
    base64: 'cGzDpG50ZWQga2V5Ky8/Ijk=',
    'base64 after one byte': 'YXBsw6RudGVkIGtleSsvPyI5',
    'base64 after two bytes': 'YWJwbMOkbnRlZCBrZXkrLz8iOQ==',
    'base64 for URLs': 'cGzDpG50ZWQga2V5Ky8_Ijk',
    'base64 of UTF-16': 'cABsAOQAbgB0AGUAZAAgAGsAZQB5ACsALwA/ACIAOQA=',
    'UTF-16, little end first': Buffer.from(secret, 'utf16le'),
    'UTF-16, big end first': Buffer.from(secret, 'utf16le').swap16(),
  }
  const folder = mkdtempSync(join(tmpdir(), 'siteward-canary-'))
  const file = join(folder, 'file')
  const found = (content: string | Buffer): boolean => {
    writeFileSync(file, content)
    return search(folder, [secret]).length > 0
  }
  try {
    for (const [way, text] of Object.entries(encoded)) {
      expect(
        found(
          Buffer.concat([
            Buffer.from('before'),
            typeof text === 'string' ? Buffer.from(text) : text,
            Buffer.from('after'),
          ]),
        ),
        way,
      ).toBe(true)
    }
    expect(found(gzipSync('nothing of it'))).toBe(false)
    writeFileSync(join(folder, 'pl%C3%A4nted%20key%2B%2F%3F%229'), '')
    expect(found('nothing of it'), 'the name of a file').toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('one search of a file’s content finds all secrets in it, even if they overlap or contain each other', () => {
  // Few letters, so that spellings overlap, contain each other, and occur at the first and the last byte.
  const text = (size: { minLength?: number; maxLength: number }) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '\0'), ...size })
  const some = fc.array(text({ minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(some, text({ maxLength: 30 }), (secrets, content) => {
      const all = secrets.map((secret) => ({ secret, way: 'plain', bytes: Buffer.from(secret) }))
      expect(createFinder(all)(Buffer.from(content))).toEqual(all.filter(({ secret }) => content.includes(secret)))
    }),
    { numRuns: 500 },
  )
})
