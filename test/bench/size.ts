import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench, Figure } from './figure.ts'

const out = join(import.meta.dirname, '../../out')
const KB = 1000

/** What is fetched and parsed before anything is on the screen, and before the tray is there. */
export const size: Bench = {
  name: 'size',
  about:
    'The scripts that are shipped, packed with gzip; native modules are not in them. Against what they may be. Main has its ' +
    'floor in the libraries that it stands on, as they are once packed: of undici the parts that are reached, 165 kB, 48 of ' +
    'them HTTP’s parser twice, for processors old and new; electron-updater, 77 kB, which is loaded only where there’s a ' +
    'feed to ask; zod, 35 kB.',
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
