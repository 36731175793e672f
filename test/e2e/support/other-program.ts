import { spawn } from 'node:child_process'

/** Opens a window of another program in front of the app's. */
export function openOtherProgram(): { close(): void } {
  const program = spawn('xev', ['-geometry', '300x200'], { stdio: 'ignore' })
  return { close: () => program.kill() }
}
