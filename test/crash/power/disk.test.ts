import { expect, test } from 'vitest'
import { dice } from '../random.ts'
import { Disk, type Image, type Names, type Remainder } from './disk.ts'
import type { Op } from './record.ts'

type UntimedOp = Op extends infer One ? (One extends Op ? Omit<One, 'at'> : never) : never
const open = (path: string, file = 1): UntimedOp => ({ kind: 'open', file, path, isNew: true })
const write = (text: string, offset = 0, file = 1): UntimedOp => ({
  kind: 'write',
  file,
  offset,
  data: Buffer.from(text),
})
const sync: UntimedOp = { kind: 'sync', file: 1 }
const syncFolder: UntimedOp = { kind: 'sync-folder', path: '' }

function disk(ops: UntimedOp[], names: Names = 'loose', before: Image = new Map()): Disk {
  const made = new Disk(before, names)
  for (const op of ops) made.apply({ at: 0n, ...op })
  return made
}

function* outcomes(of: Disk): Generator<Image> {
  for (const remainder of ['nothing', 'all', 'first', 'any'] satisfies Remainder[]) {
    for (let seed = 0; seed < 50; seed++) yield of.after(remainder, dice(seed), seed % 2 === 0)
  }
}

/** Returns all texts that the file `a` may have after a power cut. Undefined if the file may be missing. */
const texts = (of: Disk): Set<string | undefined> =>
  new Set([...outcomes(of)].map((image) => image.get('a')?.toString('latin1')))

test('a simulated power cut keeps everything that was synced, whatever else is lost', () => {
  expect(texts(disk([open('a'), write('safe'), sync, syncFolder]))).toEqual(new Set(['safe']))
})

test('a simulated power cut may lose what was not synced', () => {
  const left = texts(disk([open('a'), write('safe'), sync, syncFolder, write('lost')]))
  expect(left).toEqual(new Set(['safe', 'lost']))
})

test('a simulated power cut may tear a write between its sectors, but never within a sector', () => {
  const [old, fresh] = ['o'.repeat(512), 'n'.repeat(512)]
  const left = texts(disk([open('a'), write(old + old), sync, syncFolder, write(fresh + fresh)]))
  expect(left).toEqual(new Set([old + old, fresh + fresh, fresh + old, old + fresh]))
})

test('a simulated power cut may keep a later write and lose an earlier one', () => {
  const left = texts(disk([open('a'), write('.'.repeat(1024)), sync, syncFolder, write('1'), write('2', 512)]))
  expect([...left].some((text) => text?.startsWith('.') && text[512] === '2')).toBe(true)
})

test('a simulated power cut may lose a new file whose folder was not synced, except with a journal that keeps the order', () => {
  expect(texts(disk([open('a'), write('safe'), sync], 'loose'))).toContain(undefined)
  expect(texts(disk([open('a'), write('safe'), sync], 'ordered'))).not.toContain(undefined)
})

test('a simulated power cut may restore a removed file until its folder is synced', () => {
  const before: Image = new Map([['a', Buffer.from('old')]])
  expect(texts(disk([{ kind: 'unlink', path: 'a' }], 'loose', before))).toEqual(new Set(['old', undefined]))
  expect(texts(disk([{ kind: 'unlink', path: 'a' }, syncFolder], 'loose', before))).toEqual(new Set([undefined]))
})
