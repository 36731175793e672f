import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench, Figure } from './figure.ts'

const out = join(import.meta.dirname, '../../out')
const KB = 1000

/** What looks for newer versions; it's packed only where there's a feed to ask (electron-builder.config.mjs). */
const UPDATER = /^updater-/

/** What is fetched and parsed before anything is on the screen, and before the tray is there. */
export const size: Bench = {
  name: 'size',
  about:
    'The scripts that are shipped, packed with gzip; native modules are not in them. Against what they may be. A build without ' +
    'an update feed has no electron-updater in it; one with a feed has, 77 kB, and loads it when it asks there. Of main’s other ' +
    'libraries zod is the largest, 35 kB.',
  run: () =>
    Promise.resolve([
      weigh('renderer', join(out, 'renderer', 'assets'), 120),
      weigh('main', join(out, 'main'), 150, (file) => !UPDATER.test(basename(file))),
      weigh('main, with an update feed', join(out, 'main'), 150),
    ]),
}

function weigh(name: string, folder: string, most: number, counts: (file: string) => boolean = () => true): Figure {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const scripts = files.filter((file) => /\.[cm]?js$/.test(file) && counts(file))
  const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
  return {
    name: `size: ${name}`,
    ratio: bytes / (most * KB),
    bar: { most: 1 },
    of: `${(bytes / KB).toFixed(1)} kB in ${scripts.length} files, to ${most} kB`,
  }
}
