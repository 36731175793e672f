import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench, Figure } from './figure.ts'

const out = join(import.meta.dirname, '../../out')
const KB = 1000

/** What is fetched and parsed before anything is on the screen, and before the tray is there. */
export const size: Bench = {
  name: 'size',
  about: 'The scripts that are shipped, packed with gzip; native modules are not in them. Against what they may be.',
  run: () =>
    Promise.resolve([weigh('renderer', join(out, 'renderer', 'assets'), 120), weigh('main', join(out, 'main'), 150)]),
}

function weigh(name: string, folder: string, most: number): Figure {
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[cm]?js$/.test(file))
  const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
  return {
    name: `size: ${name}`,
    ratio: bytes / (most * KB),
    bar: { most: 1 },
    of: `${(bytes / KB).toFixed(1)} kB in ${scripts.length} files, to ${most} kB`,
  }
}
