import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** True if this system can build recorder.c and load it into a process. */
export const canRecord = (): boolean =>
  process.platform === 'linux' && spawnSync('gcc', ['--version'], { stdio: 'ignore' }).status === 0

export function buildRecorder(folder: string): string {
  const library = join(folder, 'recorder.so')
  const source = join(import.meta.dirname, 'recorder.c')
  const flags = ['-std=c11', '-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC']
  const { status, stderr } = spawnSync('gcc', [...flags, '-o', library, source, '-ldl', '-lpthread'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`recorder.c can't be built: ${stderr}`)
  return library
}
