import { resolveConfig } from 'electron-vite'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, type UserConfig } from 'vite'
import type { Bench, Figure } from './figure.ts'

const out = join(import.meta.dirname, '../../out')
const KB = 1000

/** What looks for newer versions; it's packed only where there's a feed to ask (electron-builder.config.mjs). */
const UPDATER = /^updater-/

/** Why a library is shipped; one of some size that nobody has said it of is an error. */
const WHY: Record<string, string> = {
  'src/renderer': 'the screens',
  'src/main': 'all else of ours',
  'src/shared': 'the contract, and the rules of input',
  'src/words': 'what is said to people',
  svelte: 'draws what has changed',
  'ipaddr.js': 'tells an address, or a range, from what is none',
  '@lucide/svelte': 'the icons',
  'bits-ui': 'menus, tabs and the palette',
  zod: 'whatever crosses a boundary is checked by it',
  'electron-log': 'the log',
  papaparse: 'CSV, in and out',
  ofetch: 'requests',
  'electron-updater': 'newer versions, with a feed alone',
  'js-yaml': 'what a feed says, with one alone',
  'builder-util-runtime': 'newer versions, with a feed alone',
  'fs-extra': 'newer versions, with a feed alone',
  'graceful-fs': 'newer versions, with a feed alone',
  'lodash.isequal': 'newer versions, with a feed alone',
  sax: 'newer versions, with a feed alone',
}
/** Of all: what is smaller is told together. */
const SMALL = 0.03

/** What is fetched and parsed before anything is on the screen, and before the tray is there. */
export const size: Bench = {
  name: 'size',
  about:
    'The scripts that are shipped, packed with gzip; native modules are not in them. A build without ' +
    'an update feed has no electron-updater in it; one with a feed has, and loads it when it asks there. Below each what it is ' +
    'made of, by the share of its text before names are made short, and what that is there for.',
  async run() {
    const { config } = await resolveConfig({}, 'build', 'production')
    return [
      weigh('renderer', join(out, 'renderer', 'assets')),
      ...(await partsOf('renderer', config?.renderer)),
      weigh('main', join(out, 'main'), (file) => !UPDATER.test(basename(file))),
      weigh('main, with an update feed', join(out, 'main')),
      weigh('main, with an update feed, the floor: electron-updater by itself', join(out, 'main'), (file) =>
        UPDATER.test(basename(file)),
      ),
      ...(await partsOf('main, with an update feed', config?.main)),
      weigh('preload', join(out, 'preload')),
    ]
  },
}

function weigh(name: string, folder: string, counts: (file: string) => boolean = () => true): Figure {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const scripts = files.filter((file) => /\.[cm]?js$/.test(file) && counts(file))
  const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
  const kB = (bytes / KB).toFixed(1)
  const of = `${kB} kB in ${String(scripts.length)} ${scripts.length === 1 ? 'file' : 'files'}`
  return { name: `size: ${name}`, ratio: bytes / KB, unit: 'kB', bar: null, of }
}

/** Built anew, with nothing written, and with a look at what is in it. */
async function partsOf(name: string, config: UserConfig = {}): Promise<Figure[]> {
  const lengths = new Map<string, number>()
  const looking: Plugin = {
    name: 'looking',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const [id, { renderedLength }] of Object.entries(chunk.modules))
          lengths.set(partOf(id), (lengths.get(partOf(id)) ?? 0) + renderedLength)
      }
    },
  }
  // Names are made short by this one, in most of its time.
  const plugins = (config.plugins ?? []).filter((plugin) => !(plugin && 'name' in plugin && plugin.name === 'inlined'))
  await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: [...plugins, looking],
    build: { ...config.build, write: false },
  })
  const all = [...lengths.values()].reduce((sum, length) => sum + length, 0)
  const parts = [...lengths].toSorted(([, a], [, b]) => b - a)
  const large = parts.filter(([, length]) => length >= SMALL * all)
  const figure = (part: string, share: number, why: string): Figure => ({
    name: `size: ${name}, of it ${part}`,
    ratio: share,
    unit: 'of all',
    bar: null,
    of: why,
  })
  const figures = large.map(([part, length]) => {
    const why = WHY[part]
    if (why === undefined) throw new Error(`why ${part} is shipped isn’t said`)
    return figure(part, length / all, why)
  })
  const others = parts.slice(large.length)
  const rest = others.reduce((sum, [, length]) => sum + length, 0)
  return [...figures, figure('others', rest / all, others.map(([part]) => part).join(', '))]
}

/** The library, or the folder of ours. */
const partOf = (id: string): string =>
  /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ??
  /[\\/](src[\\/][a-z]+)/.exec(id)?.[1]?.replace('\\', '/') ??
  'what the build adds'
