// @ts-check
/** One set-up at a time: two of them in one folder would remove each other's files. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** @param {number} pid */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Takes the turn, or tells whose it is. The file appears with its content at once (a link), so nobody reads an empty one.
 *
 * @param {string} file
 * @returns {number | null} the process that has the turn; null: it's ours
 */
export const takeTurn = (file) => {
  const own = `${file}.${process.pid}`
  writeFileSync(own, `${process.pid}`)
  try {
    linkSync(own, file)
    return null
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    return holder(file)
  } finally {
    rmSync(own, { force: true })
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
 * Puts a dead process's file aside. Moved first and looked at then: the file may have become a living one's meanwhile.
 *
 * @param {string} file
 */
const clearStale = (file) => {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
    if (isAlive(holder(aside))) linkSync(aside, file)
  } catch {
    // Another one cleared it, or has the turn already.
  }
  rmSync(aside, { force: true })
}

/**
 * @template T
 * @param {string} folder where the turn's file is kept
 * @param {(pid: number) => void} onWait told once whom we wait for
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export const inTurn = async (folder, onWait, work) => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'setup.turn')
  const release = () => rmSync(file, { force: true })
  for (let told = false; ; await wait(200)) {
    const pid = takeTurn(file)
    if (pid === null) break
    if (pid === 0 || !isAlive(pid)) clearStale(file)
    else if (!told) {
      onWait(pid)
      told = true
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
