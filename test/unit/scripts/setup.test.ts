import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint } from '../../../scripts/setup/bundles.mjs'
import { sameDependencies } from '../../../scripts/setup/dependencies.mjs'
import { inProject, isNodeUsable } from '../../../scripts/setup/project.mjs'
import { inTurn, takeTurn } from '../../../scripts/setup/turn.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-setup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a check of the dependencies', () => {
  const wanted = {
    '': { version: '0.1.0' },
    'node_modules/zod': { version: '4.6.7', integrity: 'sha512-a' },
    'node_modules/rolldown-darwin': { version: '1.0.0', integrity: 'sha512-b', optional: true },
  }
  const zod = { version: '4.6.7', integrity: 'sha512-a' }

  it('accepts missing binaries of other systems', () => {
    expect(sameDependencies(wanted, { 'node_modules/zod': zod })).toBe(true)
  })

  it.each([
    ['nothing is installed', {}],
    ['another version is installed', { 'node_modules/zod': { ...zod, version: '4.6.6' } }],
    ['other content is installed', { 'node_modules/zod': { ...zod, integrity: 'sha512-c' } }],
    [
      'a package is installed that is no longer a dependency',
      { 'node_modules/zod': zod, 'node_modules/left': { version: '1.0.0' } },
    ],
  ])('requires an install if %s', (_, installed) => {
    expect(sameDependencies(wanted, installed)).toBe(false)
  })
})

describe('a fingerprint of the sources', () => {
  const paths = ['src', 'package.json', 'missing']
  beforeEach(() => {
    mkdirSync(join(folder, 'src', 'deep'), { recursive: true })
    writeFileSync(join(folder, 'src', 'deep', 'a.ts'), 'a')
    writeFileSync(join(folder, 'package.json'), '{}')
  })

  it('is equal for equal sources', () => {
    const before = fingerprint(folder, paths)
    writeFileSync(join(folder, 'src', 'deep', 'a.ts'), 'a')
    expect(fingerprint(folder, paths)).toBe(before)
  })

  it.each([
    ['a source changes', () => writeFileSync(join(folder, 'src', 'deep', 'a.ts'), 'b')],
    ['a source is added', () => writeFileSync(join(folder, 'src', 'b.ts'), '')],
    ['a source is removed', () => rmSync(join(folder, 'src', 'deep', 'a.ts'))],
    ['the package changes', () => writeFileSync(join(folder, 'package.json'), '{"a":1}')],
  ])('differs if %s', (_, change) => {
    const before = fingerprint(folder, paths)
    change()
    expect(fingerprint(folder, paths)).not.toBe(before)
  })
})

describe('two set-ups at once', () => {
  it('run one after the other', async () => {
    const order: string[] = []
    const file = join(folder, 'setup.turn')
    const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
    writeFileSync(file, `${other.pid}`)
    const ended = once(other, 'close')
    const onWait = (pid: number): void => {
      order.push(`waits for ${pid === other.pid ? 'the other' : 'nobody known'}`)
      void ended.then(() => order.push('the other ended'))
      other.stdin.end()
    }
    await inTurn(folder, onWait, () => order.push('works'))
    expect(order).toEqual(['waits for the other', 'the other ended', 'works'])
    expect(existsSync(file)).toBe(false)
  })

  it('report which one holds the lock', () => {
    const file = join(folder, 'setup.turn')
    expect(takeTurn(file)).toBe(null)
    expect(takeTurn(file)).toBe(process.pid)
  })

  it('release the lock if the work fails', async () => {
    const failing = inTurn(
      folder,
      () => {},
      () => Promise.reject(new Error('npm ci failed')),
    )
    await expect(failing).rejects.toThrow('npm ci failed')
    expect(existsSync(join(folder, 'setup.turn'))).toBe(false)
  })
})

describe('the Node of the set-up', () => {
  it.each([
    ['18.20.4', '20.12', false],
    ['20.11.1', '20.12', false],
    ['20.12.0', '20.12', true],
    ['22.3.0', '20.12', true],
    ['23.11.0', '24.0', false],
    ['24.0.0', '24.0', true],
  ])('%s, where %s is the oldest, is usable: %s', (version, oldest, usable) => {
    expect(isNodeUsable(version, oldest)).toBe(usable)
  })

  it('is named in package.json', () => {
    const { engines } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as { engines: { node: string } }
    expect(engines.node).toBe('>=20.12')
  })
})
