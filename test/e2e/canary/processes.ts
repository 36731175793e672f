import { readdirSync, readFileSync } from 'node:fs'
import { keep } from './record.ts'

/** Milliseconds between two looks at the running processes. A process that ends in between may be missed. */
const EVERY = 100

/**
 * Records the arguments and environment of all descendants of this process until the returned function is called. Does nothing on
 * other systems than Linux, which do not show them.
 */
export function watchProcesses(): () => void {
  if (process.platform !== 'linux') return () => undefined
  const seen = new Set<string>()
  const descendants = createDescendants()
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

/** Returns a function that lists all descendants of this process. It reads the parent of each process only once. */
function createDescendants(): () => number[] {
  let parents = new Map<number, number>()
  return () => {
    const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    parents = new Map(running.map(Number).map((pid) => [pid, parents.get(pid) ?? parentOf(pid)]))
    const children = new Map<number, number[]>()
    for (const [pid, parent] of parents) children.set(parent, [...(children.get(parent) ?? []), pid])
    const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
    return below(process.pid)
  }
}

/** Returns the parent of a process. In `stat`, it is the second field after the command, whose text may contain anything. */
const parentOf = (pid: number): number => Number(/\) \S (\d+)/.exec(read(`/proc/${String(pid)}/stat`))?.[1])

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
