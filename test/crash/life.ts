import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Line, Orders } from './protocol.ts'

/** The Node executable (or Electron as Node), and the bundle of child/main.ts. */
export interface Program {
  node: string
  bundle: string
}

export interface Life {
  /** The messages so far. The list is complete once the process has ended. */
  lines: Line[]
  kill(): void
  /** Resolves to the first message of this kind. Null if the process ends without one. */
  says(type: Line['says']): Promise<Line | null>
  /** Returns the command line and environment, which other processes can see. */
  commandLine(): Buffer
  /** Resolves when the process has ended. `code` is null after a signal. */
  ended: Promise<{ code: number | null; errors: string }>
}

export function startLife({ node, bundle }: Program, orders: Orders, env: NodeJS.ProcessEnv = {}): Life {
  const child = spawn(node, [bundle], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env }, stdio: 'pipe' })
  const lines: Line[] = []
  const waiting: { type: Line['says']; resolve: (line: Line | null) => void }[] = []
  let rest = ''
  let errors = ''
  let isOver = false

  child.stdin.on('error', () => {}).end(JSON.stringify(orders))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) hear(JSON.parse(part) as Line)
  })

  function hear(line: Line): void {
    lines.push(line)
    for (const { type, resolve } of waiting) if (type === line.says) resolve(line)
  }

  const ended = once(child, 'close').then(([code]) => {
    isOver = true
    for (const { resolve } of waiting) resolve(null)
    return { code: code as number | null, errors }
  })

  return {
    lines,
    kill: () => void child.kill('SIGKILL'),
    says(type) {
      const reported = lines.find((line) => line.says === type)
      if (reported !== undefined || isOver) return Promise.resolve(reported ?? null)
      return new Promise((resolve) => waiting.push({ type, resolve }))
    },
    commandLine() {
      const of = (name: string) => {
        try {
          return readFileSync(`/proc/${String(child.pid)}/${name}`)
        } catch {
          return Buffer.alloc(0) // The process has ended, or the system has no /proc.
        }
      }
      return Buffer.concat([of('cmdline'), of('environ')])
    },
    ended,
  }
}
