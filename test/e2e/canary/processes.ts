import { readdirSync, readFileSync } from 'node:fs'
import { keep } from './record.ts'

/** Interval in milliseconds. A process that ends within it may be missed. */
const EVERY = 100

/**
 * Records the arguments and environment of all descendants of this process until it is stopped. Only Linux shows them.
 */
export function watchProcesses(): () => void {
  if (process.platform !== 'linux') return () => undefined
  const seen = new Set<string>()
  const look = (): void => {
    for (const pid of descendants()) {
      for (const file of ['cmdline', 'environ']) {
        const text = read(`/proc/${String(pid)}/${file}`).replaceAll('\0', ' ')
        if (text === '' || seen.has(text)) continue
        seen.add(text)
        keep('processes', `${file}: ${text}`)
      }
    }
  }
  const timer = setInterval(look, EVERY)
  return () => {
    clearInterval(timer)
    look()
  }
}

function descendants(): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The command in parentheses may contain anything; the parent is the second field after it.
    const parent = Number(/\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
  return below(process.pid)
}

/** Returns an empty text if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
