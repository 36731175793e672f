import { createPackageWithOptions, extractAll } from '@electron/asar'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { presentRuntime } from '../../../scripts/runtime.mjs'
import { FALLBACK_MARK } from '../../../scripts/runtime/fallback.mjs'
import { inProject, projectNode, root } from '../../../scripts/setup/project.mjs'

const fallbackDriver = inProject('node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node')
const sha512 = (file: string): string => createHash('sha512').update(readFileSync(file)).digest('base64')

/** A package that a test has built with the installed Electron. It is never published. */
export interface Throwaway {
  folder: string
  binary: string
}

/**
 * Builds the app into `folder` with the configuration of releases. With the development fallback, its native driver replaces
 * that of a release. A test can control the package only after {@link addDriver}.
 */
export function packThrowaway(folder: string, env: Readonly<Record<string, string>> = {}): Throwaway {
  const { executable, official } = presentRuntime()
  const electron = join(folder, 'electron')
  cpSync(join(executable, '..'), electron, { recursive: true, filter: (path) => !path.endsWith(FALLBACK_MARK) })
  const output = join(folder, 'dist')
  const given = [`-c.electronDist=${electron}`, `-c.directories.output=${output}`]
  execFileSync(projectNode, [inProject('scripts', 'dist.mjs'), '--linux', 'dir', '--x64', ...given], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  rmSync(electron, { recursive: true })
  const app = join(output, 'linux-unpacked')
  const archive = join(app, 'resources', 'app.asar')
  if (!official) {
    const prebuilds = join(`${archive}.unpacked`, 'node_modules', 'better-sqlite3', 'prebuilds')
    for (const name of readdirSync(prebuilds)) copyFileSync(fallbackDriver, join(prebuilds, name))
  }
  return { folder: app, binary: join(app, 'siteward') }
}

/** Makes a package start through `packaged-driver.mjs`, and with the development fallback accept the fallback's native driver. */
export async function addDriver({ folder }: Throwaway): Promise<void> {
  const archive = join(folder, 'resources', 'app.asar')
  const content = join(folder, '..', 'content')
  extractAll(archive, content)
  const manifest = JSON.parse(readFileSync(join(content, 'package.json'), 'utf8')) as { nativeModules: string[] }
  const { official } = presentRuntime()
  const nativeModules = [...manifest.nativeModules, ...(official ? [] : [sha512(fallbackDriver)])]
  const changed = { ...manifest, nativeModules, main: 'packaged-driver.mjs' }
  writeFileSync(join(content, 'package.json'), JSON.stringify(changed))
  copyFileSync(join(import.meta.dirname, 'packaged-driver.mjs'), join(content, 'packaged-driver.mjs'))
  await createPackageWithOptions(content, archive, { unpack: '*.node' })
  rmSync(content, { recursive: true })
}

export interface RunningPackage {
  /** Returns the value of a JavaScript expression in the main process; `electron` is defined. */
  main<T>(expression: string): Promise<T>
  page<T>(expression: string): Promise<T>
  output(): string
  quit(): Promise<number | null>
}

export async function startPackage(
  { binary }: Throwaway,
  { userData, env, args = [] }: { userData: string; env: Readonly<Record<string, string>>; args?: readonly string[] },
): Promise<RunningPackage> {
  const running = spawn(binary, [...presentRuntime().args, `--user-data-dir=${userData}`, ...args], {
    env: { ...process.env, ...env },
    stdio: 'pipe',
  })
  const ended = once(running, 'exit')
  let output = ''
  running.stderr.on('data', (chunk) => (output += String(chunk)))
  const waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>()
  createInterface({ input: running.stdout }).on('line', (line) => {
    output += `${line}\n`
    if (!line.startsWith('ANSWER ')) return
    const answer = JSON.parse(line.slice(7)) as { id: number; value?: unknown; error?: string }
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  let last = 0
  const ask = async (where: 'main' | 'page', expression: string): Promise<unknown> => {
    const id = (last += 1)
    const answered = new Promise<{ value?: unknown; error?: string }>((resolve) => waiting.set(id, resolve))
    running.stdin.write(`${JSON.stringify({ id, where, expression })}\n`)
    const answer = await Promise.race([answered, ended.then(() => ({ error: `the app ended:\n${output}` }))])
    if (answer.error !== undefined) throw new Error(answer.error)
    return (answer as { value?: unknown }).value
  }
  return {
    main: <T>(expression: string) => ask('main', expression) as Promise<T>,
    page: <T>(expression: string) => ask('page', expression) as Promise<T>,
    output: () => output,
    async quit() {
      const timer = setTimeout(() => running.kill('SIGKILL'), 15_000)
      if (running.exitCode === null)
        running.stdin.write(`${JSON.stringify({ id: 0, where: 'main', expression: 'electron.app.quit()' })}\n`)
      await ended
      clearTimeout(timer)
      return running.exitCode
    },
  }
}
