import { readdirSync, readFileSync } from 'node:fs'

/** Returns the MB of a process and all its descendants, with shared pages divided among those that share them (PSS). */
export function memoryOf(pid: number): number {
  const pss = (one: number) => /^Pss:\s+(\d+) kB/m.exec(textOf(`/proc/${String(one)}/smaps_rollup`))?.[1] ?? 0
  return processesOf(pid).reduce((sum, one) => sum + Number(pss(one)) / 1024, 0)
}

/** Returns the CPU time in milliseconds that a process and all its descendants have taken. */
export function cpuTimeOf(pid: number): number {
  // The CPU time in hundredths of a second: the 14th and 15th field. The result of statOf starts with the third field.
  const ticks = (one: number) => Number(statOf(one)[11] ?? 0) + Number(statOf(one)[12] ?? 0)
  return processesOf(pid).reduce((sum, one) => sum + ticks(one) * 10, 0)
}

function processesOf(pid: number): number[] {
  const ids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
  const parents = new Map(ids.map((id) => [Number(id), Number(statOf(Number(id))[1])]))
  const belongs = (one: number | undefined): boolean => one !== undefined && (one === pid || belongs(parents.get(one)))
  return [...parents.keys()].filter(belongs)
}

/** Returns the fields of `/proc/PID/stat`, from the third one (the state) on. */
function statOf(pid: number): string[] {
  const stat = textOf(`/proc/${String(pid)}/stat`)
  // The second field is the name of the process in parentheses. The name itself may contain spaces and parentheses.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Returns the text of a file, or '' if its process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
