import electronLog from 'electron-log/node'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entries, type Level } from './entries.ts'
import type { LogLine } from './log.ts'

/** Bytes; beyond that the file is put aside as `siteward.old.log`, in the place of the one before. */
const MAX_SIZE = 512 * 1024

const nameOf = (folder: string, aside = ''): string => join(folder, `siteward${aside}.log`)

/**
 * The warnings and errors of earlier runs, as far as they can be read and are ours, with those put aside; never throws. This
 * run has told that it has `started`: by the clock, which may be set back, nobody could tell them apart.
 */
export function readEarlier(folder: string): LogLine[] {
  const lines = [...linesOf(folder, '.old'), ...linesOf(folder)]
  const begun = lines.findLastIndex((line) => /^\S+ info started( |$)/.test(line))
  return lines.slice(0, Math.max(0, begun)).flatMap(toLine)
}

function linesOf(folder: string, aside?: string): string[] {
  try {
    return readFileSync(nameOf(folder, aside), 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

function toLine(text: string): LogLine[] {
  const [, time = '', level, said = '', name = ''] = /^(\S+) (warn|error) ((\w+).*)$/.exec(text) ?? []
  const at = Date.parse(time)
  return Number.isNaN(at) || !Object.hasOwn(entries, name) ? [] : [{ at, level: level as Level, text: said }]
}

/**
 * Writes lines to `siteward.log` in a folder, readable by its owner alone. A disk that takes nothing loses lines and ends
 * nothing. `console`: to the terminal as well, what is more than information.
 */
export function createLogFile(folder: string, { console }: { console: boolean }): (line: LogLine) => void {
  const { transports, ...logger } = electronLog.create({ logId: folder })
  transports.file.resolvePathFn = () => nameOf(folder)
  transports.file.maxSize = MAX_SIZE
  transports.file.format = '{iso} {level} {text}'
  transports.file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
  transports.console.level = console ? 'warn' : false
  return ({ level, text }) => logger[level](text)
}
