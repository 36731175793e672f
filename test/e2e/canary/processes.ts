import { readdirSync, readFileSync } from 'node:fs'
import { keep } from './record.ts'

/** Milliseconds. What lives shorter than this may go unseen. */
const EVERY = 100

/**
 * Keeps the arguments and the environment of every process that descends from this one, for as long as it isn't
 * stopped. Linux alone shows them.
 */
export function watchProcesses(): () => void {
  if (process.platform !== 'linux') return () => undefined
  const seen = new Set<string>()
  const look = (): void => {
    for (const pid of descendants()) {
      for (const what of ['cmdline', 'environ']) {
        const text = read(`/proc/${String(pid)}/${what}`).replaceAll('\0', ' ')
        if (text === '' || seen.has(text)) continue
        seen.add(text)
        keep('processes', `${what}: ${text}`)
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
    // The command in brackets may hold anything; the parent is the second field after it.
    const parent = Number(/\) \S (\d+)/.exec(read(`/proc/${name}/stat`))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
  return below(process.pid)
}

/** Empty where the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
