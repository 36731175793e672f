import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'

// Replaces Electron's module, which exists only in Electron's binary.
vi.mock('electron', () => ({ protocol: {} }))
const { fileOf } = await import('../../../src/main/shell/protocol.ts')

// The path in the format of this system.
const folder = resolve('/app/out/renderer')
const of = (url: string) => fileOf(new URL(url), folder)?.path ?? null

describe('serves over app://', () => {
  test('the files of the page', () => {
    expect(fileOf(new URL('app://bundle/index.html'), folder)).toEqual({
      path: join(folder, 'index.html'),
      type: 'text/html; charset=utf-8',
    })
    expect(of('app://bundle/assets/a%20b.js')).toBe(join(folder, 'assets', 'a b.js'))
  })

  test.each([
    'app://elsewhere/index.html',
    'app://bundle/',
    'app://bundle/siteward.db',
    'app://bundle/..%2f..%2fpackage.json',
    'app://bundle/..%2f..%2fmain%2findex.js',
    'app://bundle/..%2frenderer-of-another%2findex.html',
    'app://bundle//etc/passwd',
    'app://bundle/%E0%A4%A.html',
    'app://bundle/index.html%00.png',
  ])('not %s', (url) => {
    expect(of(url)).toBeNull()
  })
})
