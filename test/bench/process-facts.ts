import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * MB that a process and all that it has started take, where pages that several share are shared out among them (PSS). Null
 * elsewhere than on Linux.
 */
export function memoryOf(pid: number): number | null {
  if (!existsSync('/proc/self/smaps_rollup')) return null
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    // Behind the name, which may hold anything: state, then the parent.
    const stat = textOf(`/proc/${name}/stat`)
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isOf = (one: number | undefined): boolean => one !== undefined && (one === pid || isOf(parents.get(one)))
  return [...parents.keys()].filter(isOf).reduce((sum, one) => sum + pss(one), 0)
}

const pss = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${String(pid)}/smaps_rollup`))?.[1] ?? 0) / 1024

/** How often a process's main thread has gone to sleep so far; null elsewhere than on Linux. */
export function wakesOf(pid: number): number | null {
  const id = String(pid)
  const told = /^voluntary_ctxt_switches:\s+(\d+)/m.exec(textOf(`/proc/${id}/task/${id}/status`))
  return told === null ? null : Number(told[1])
}

/** One that ends meanwhile has none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
