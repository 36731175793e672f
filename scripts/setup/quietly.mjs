// @ts-check
import { spawnSync } from 'node:child_process'

/**
 * Runs a command, and shows its output only if it fails. Returns true if it succeeded.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export const runQuietly = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    ...options,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  })
  if (status !== 0) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n`)
  return status === 0
}
