import { spawn } from 'node:child_process'

/** Opens a window of another program, which the window manager puts in front. */
export function openOtherProgram(): { close(): void } {
  const program = spawn('xev', ['-geometry', '300x200'], { stdio: 'ignore' })
  return { close: () => program.kill() }
}
