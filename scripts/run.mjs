// @ts-check
/** Runs a command in place of this process: with the same terminal, exit code and signals. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>} its exit code; 128 plus the signal's number if a signal ended it, as in a shell
 */
export const run = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options })
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // On Ctrl-C, the terminal itself sends SIGINT to every process.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of signals) process.on(signal, forward)
    // npm sends signals only to the shell between npm and this process. The shell ends without passing them on, which gives this
    // process a new parent.
    const parent = process.ppid
    const orphaned = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
    const forget = () => {
      clearInterval(orphaned)
      for (const signal of signals) process.off(signal, forward)
    }
    child.once('error', (error) => {
      forget()
      reject(error)
    })
    child.once('close', (code, signal) => {
      forget()
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
