// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { inProject, npm, projectNode, root } from './project.mjs'
import { runQuietly } from './quietly.mjs'

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }>} Locked */

/**
 * True if the packages that npm installed are those of the lock file. Optional packages may be missing, because some are binaries
 * of other systems.
 *
 * @param {Locked} locked
 * @param {Locked} installed
 */
export const sameDependencies = (locked, installed) => {
  const names = Object.keys(locked).filter((name) => name !== '')
  return (
    Object.keys(installed).every((name) => name in locked) &&
    names.every((name) => {
      const [expected, present] = [locked[name], installed[name]]
      if (!present) return expected?.optional === true || expected?.devOptional === true
      return present.version === expected?.version && present.integrity === expected?.integrity
    })
  )
}

/** @param {string} file */
const lockedIn = (file) => {
  /** @type {{ packages?: Locked }} */
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  return lock.packages ?? {}
}

export const dependenciesAreInstalled = () => {
  const record = inProject('node_modules', '.package-lock.json')
  // npm writes this file last, so an interrupted install has none.
  if (!existsSync(record) || !existsSync(projectNode)) return false
  return sameDependencies(lockedIn(inProject('package-lock.json')), lockedIn(record))
}

/** @returns {boolean} true if everything is installed; npm skips an optional package that it can't get, such as Node's */
export const installDependencies = () => {
  const { command, args, shell, env } = npm()
  const flags = ['--no-fund', '--no-audit', '--loglevel=error']
  /** @param {string[]} npmArgs */
  const run = (...npmArgs) => runQuietly(command, [...args, ...npmArgs, ...flags], { cwd: root, env, shell })
  // Only keytar's install script is needed. npm would also compile every package with a binding.gyp.
  return run('ci', '--include=dev', '--ignore-scripts') && run('rebuild', 'keytar') && existsSync(projectNode)
}
