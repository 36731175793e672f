import electronLog from 'electron-log/node'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries, type Level } from './entries.ts'
import type { LogLine } from './log.ts'

/** Bytes above which the file is renamed to `siteward.old.log`, which replaces the earlier one. */
const MAX_SIZE = 512 * 1024

/** `aside`: `.old` for the earlier file. */
const pathOf = (folder: string, aside = ''): string => join(folder, `siteward${aside}.log`)

/** This run begins at the last `started` entry. Times can't tell, because the clock may be set back. Never throws. */
export function readEarlierProblems(folder: string): LogLine[] {
  const lines = [...linesOf(folder, '.old'), ...linesOf(folder)]
  const lastStart = lines.findLastIndex((line) => /^\S+ info started( |$)/.test(line))
  return lines.slice(0, Math.max(0, lastStart)).flatMap(parseProblemLine)
}

/** Returns no lines if the file can't be read. */
function linesOf(folder: string, aside?: string): string[] {
  try {
    return readFileSync(pathOf(folder, aside), 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

/** Returns an empty list unless the line is a warning or an error that this version knows. */
function parseProblemLine(text: string): LogLine[] {
  const [, time = '', level, message = '', name = ''] = /^(\S+) (warn|error) ((\w+).*)$/.exec(text) ?? []
  const at = Date.parse(time)
  return Number.isNaN(at) || !Object.hasOwn(entries, name) ? [] : [{ at, level: level as Level, text: message }]
}

/**
 * Returns a function that writes a line to the log. Lines are lost if the disk doesn't accept them. `console`: true if warnings
 * and errors are printed as well.
 */
export function createLogFile(folder: string, { console }: { console: boolean }): (line: LogLine) => void {
  const { transports, ...logger } = electronLog.create({ logId: folder })
  transports.file.resolvePathFn = () => pathOf(folder)
  transports.file.maxSize = MAX_SIZE
  transports.file.format = '{iso} {level} {text}'
  transports.file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
  transports.console.level = console ? 'warn' : false
  return ({ level, text }) => logger[level](text)
}
