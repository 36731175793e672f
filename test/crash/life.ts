import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Line, Orders } from './protocol.ts'

/** What runs JavaScript (Node, or Electron as Node), and child/main.ts as one file of it. */
export interface Program {
  node: string
  bundle: string
}

/** One run of the process, from its start to whatever ends it. */
export interface Life {
  /** What it has said so far; complete when it has ended. */
  lines: Line[]
  /** SIGKILL, at once. */
  kill(): void
  /** Resolves at the first line that says so; null: it ended without. */
  says(what: Line['says']): Promise<Line | null>
  /** The command line and what it was started with, as the system shows them to everybody. */
  commandLine(): Buffer
  /** Resolves when it's gone; null: by a signal. */
  ended: Promise<{ code: number | null; errors: string }>
}

export function startLife({ node, bundle }: Program, orders: Orders, env: NodeJS.ProcessEnv = {}): Life {
  const child = spawn(node, [bundle], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env }, stdio: 'pipe' })
  const lines: Line[] = []
  const waiting: { what: Line['says']; resolve: (line: Line | null) => void }[] = []
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
    for (const { what, resolve } of waiting) if (what === line.says) resolve(line)
  }

  const ended = once(child, 'close').then(([code]) => {
    isOver = true
    for (const { resolve } of waiting) resolve(null)
    return { code: code as number | null, errors }
  })

  return {
    lines,
    kill: () => void child.kill('SIGKILL'),
    says(what) {
      const said = lines.find((line) => line.says === what)
      if (said !== undefined || isOver) return Promise.resolve(said ?? null)
      return new Promise((resolve) => waiting.push({ what, resolve }))
    },
    commandLine() {
      const of = (name: string) => {
        try {
          return readFileSync(`/proc/${String(child.pid)}/${name}`)
        } catch {
          return Buffer.alloc(0) // gone already, or no /proc
        }
      }
      return Buffer.concat([of('cmdline'), of('environ')])
    },
    ended,
  }
}
