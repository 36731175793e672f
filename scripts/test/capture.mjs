// @ts-check
import { spawn } from 'node:child_process'
import { windows } from '../setup/project.mjs'

/** A runner that hangs is ended with all that it started. */
const limit = 30 * 60_000

/** @type {Set<number>} the groups of what runs now */
const groups = new Set()

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
const endGroup = (pid, signal) => {
  try {
    process.kill(windows ? pid : -pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** For an interrupted run. */
export const endAll = () => {
  for (const pid of groups) endGroup(pid, 'SIGTERM')
}

/**
 * Runs a command in a process group of its own and keeps what it writes. What its reporter tells (failures.mjs) goes on at
 * once.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @param {(text: string) => void} tell takes what the reporter tells
 * @returns {Promise<{ exitCode: number, output: string }>}
 */
export const capture = (command, args, options, tell = (text) => process.stdout.write(text)) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: !windows })
    child.stdio[3]?.on('data', (bytes) => tell(String(bytes)))
    const pid = child.pid
    let output = ''
    const keep = (/** @type {string} */ text) => (output += text)
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    const timer = setTimeout(() => {
      output += `\nended after ${limit / 60_000} minutes\n`
      if (pid) endGroup(pid, 'SIGKILL')
    }, limit)
    if (pid) groups.add(pid)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      if (pid) groups.delete(pid)
      resolve({ exitCode: code ?? 1, output })
    })
  })
