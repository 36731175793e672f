import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trayQuirks } from '../../../src/main/shell/tray-quirks.ts'
import { urgencies } from '../../../src/messages/account-status.ts'

const resources = join(import.meta.dirname, '../../../resources')

const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)]
const read = (path: string): Buffer => readFileSync(join(resources, path))
const doubled = (path: string): string => path.replace('.png', '@2x.png')

test.for(urgencies)('the picture of %s exists for each system, in the sizes that its panels draw', (kind) => {
  const linux = trayQuirks('linux').image(kind)
  expect([sizeOf(read(linux)), sizeOf(read(doubled(linux)))]).toEqual([
    [22, 22],
    [44, 44],
  ])

  // macOS treats a file with this name as a template: it draws the icon in the panel's color.
  const macos = trayQuirks('darwin').image(kind)
  expect(macos).toMatch(/Template\.png$/)
  expect([sizeOf(read(macos)), sizeOf(read(doubled(macos)))]).toEqual([
    [16, 16],
    [32, 32],
  ])

  const ico = read(trayQuirks('win32').image(kind))
  const sizes = Array.from({ length: ico.readUInt16LE(4) }, (_, at) => {
    const entry = 6 + at * 16
    const png = ico.subarray(ico.readUInt32LE(entry + 12)).subarray(0, ico.readUInt32LE(entry + 8))
    expect(sizeOf(png)[0]).toBe(ico.readUInt8(entry))
    return ico.readUInt8(entry)
  })
  expect(sizes).toEqual([16, 20, 24, 32, 48])
})

test('gives each state an icon of its own', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const pictures = urgencies.map((kind) => read(trayQuirks(platform).image(kind)).toString('base64'))
    expect(new Set(pictures).size).toBe(urgencies.length)
  }
})
