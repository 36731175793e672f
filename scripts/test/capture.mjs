// @ts-check
import { spawn } from 'node:child_process'
import { isWindows } from '../setup/project.mjs'

/** Milliseconds after which a runner that hangs is ended with all its processes. */
const TIME_LIMIT = 30 * 60_000

/** @type {Set<number>} */
const groups = new Set()

/**
 * Sends a signal to the process group of a command; on Windows to the process alone. Does nothing if it has ended.
 *
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
const endGroup = (pid, signal) => {
  try {
    process.kill(isWindows ? pid : -pid, signal)
  } catch {
    // The process has already ended.
  }
}

export const endAll = () => {
  for (const pid of groups) endGroup(pid, 'SIGTERM')
}

/**
 * Runs a command in its own process group and collects its output. The text of its reporter (failures.mjs) is passed on
 * at once.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @param {(text: string) => void} tell receives the reporter's text
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
export const capture = (command, args, options, tell = (text) => process.stdout.write(text)) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: !isWindows })
    child.stdio[3]?.on('data', (bytes) => tell(String(bytes)))
    const pid = child.pid
    let output = ''
    const keep = (/** @type {string} */ text) => (output += text)
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    const timer = setTimeout(() => {
      output += `\nended after ${TIME_LIMIT / 60_000} minutes\n`
      if (pid) endGroup(pid, 'SIGKILL')
    }, TIME_LIMIT)
    if (pid) groups.add(pid)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      if (pid) groups.delete(pid)
      resolve({ exitCode: code ?? 1, output })
    })
  })
