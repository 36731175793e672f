// @ts-check
/** Allows one set-up at a time: two of them in one folder would remove each other's files. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * True if a process with this id runs, even if it belongs to another user.
 *
 * @param {number} pid
 */
export const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Tries to acquire the lock. The file is created as a link, so that it is never seen empty.
 *
 * @param {string} file
 * @returns {number | null} null if the lock was acquired, otherwise the process that holds it, or 0 if that is unknown
 */
export const takeTurn = (file) => {
  const ownFile = `${file}.${process.pid}`
  writeFileSync(ownFile, `${process.pid}`)
  try {
    linkSync(ownFile, file)
    return null
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    return holder(file)
  } finally {
    rmSync(ownFile, { force: true })
  }
}

/** @param {string} file */
const holder = (file) => {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

/**
 * Removes the lock file of a process that has ended. The file is moved before it is checked, because a living process may have
 * replaced it.
 *
 * @param {string} file
 */
const clearStale = (file) => {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    if (isAlive(holder(aside))) linkSync(aside, file)
  } catch {
    // Another process has removed the file, or has acquired the lock.
  }
  rmSync(aside, { force: true })
}

/**
 * Runs `work` while no other process runs work in the same folder.
 *
 * @template T
 * @param {string} folder the folder of the lock file
 * @param {(pid: number) => void} onWait called once if another process holds the lock
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export const inTurn = async (folder, onWait, work) => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'setup.turn')
  const release = () => rmSync(file, { force: true })
  for (let isReported = false; ; await wait(200)) {
    const pid = takeTurn(file)
    if (pid === null) break
    if (pid === 0 || !isAlive(pid)) clearStale(file)
    else if (!isReported) {
      onWait(pid)
      isReported = true
    }
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}
