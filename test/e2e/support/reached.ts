import { readFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'vite'

export interface Reached {
  /** Paths within the folder, with slashes. */
  files: Set<string>
  /** Names of the packages that the files load, without Node's own modules. */
  packages: Set<string>
}

/**
 * Returns what `entries` load, according to the names in scripts, pages and styles. Throws if a named file does not exist. Skips
 * names that match `left`. Doesn't find names that are built at run time, such as that of a native module's file.
 */
export function reachedFrom(folder: string, entries: string[], left: RegExp): Reached {
  const reached: Reached = { files: new Set(), packages: new Set() }
  const follow = (file: string): void => {
    if (reached.files.has(file)) return
    reached.files.add(file)
    for (const name of namedIn(join(folder, file))) {
      if (left.test(name)) continue
      if (/^\.{0,2}\//.test(name)) follow(below(folder, file, name))
      else if (!name.startsWith('node:') && !builtinModules.includes(name)) reached.packages.add(name)
    }
  }
  entries.forEach(follow)
  return reached
}

/** Returns the path within the folder of the file that is called `name` in the file `from`. Throws if it doesn't exist. */
const below = (folder: string, from: string, name: string): string => {
  const path = resolve(join(folder, dirname(from)), name)
  return createRequire(path)
    .resolve(path)
    .slice(folder.length + 1)
    .replaceAll('\\', '/')
}

function namedIn(file: string): string[] {
  if (!/\.([cm]?js|html|css)$/.test(file)) return []
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.html')) return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, name]) => name ?? [])
  if (file.endsWith('.css')) return [...text.matchAll(/url\(["']?([^"')]+)/g)].flatMap(([, name]) => name ?? [])
  const names: string[] = []
  collect(parseAst(text), names)
  return names
}

interface Node {
  type?: string
  value?: unknown
  source?: Node | null
  callee?: Node
  name?: string
  arguments?: Node[]
  /** The fixed parts of a template. A minifier writes a text as a template without expressions. */
  quasis?: { value: { cooked: string } }[]
}

/** Adds to `names` the texts after `from`, in `import()`, in `require()`, and in the `__require()` of a bundler. */
function collect(node: Node, names: string[]): void {
  const description =
    node.type === 'CallExpression' && /^(__)?require$/.test(node.callee?.name ?? '') ? node.arguments?.[0] : node.source
  const text = description?.quasis?.length === 1 ? description.quasis[0]?.value.cooked : description?.value
  if (typeof text === 'string') names.push(text)
  for (const child of Object.values(node).flat() as unknown[]) {
    if (typeof child === 'object' && child !== null && 'type' in child) collect(child as Node, names)
  }
}
