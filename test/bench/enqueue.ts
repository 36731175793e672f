import Database from 'better-sqlite3'
import type { IpcMainInvokeEvent } from 'electron'
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { checked } from '../../src/main/ipc/checked.ts'
import { websiteHandlers } from '../../src/main/ipc/websites.ts'
import { fill, openConnection, temporaryFolder } from './connection.ts'
import type { Bench, Figure } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'

/** The longest first: to fill it takes as many edits, so that all three are met by script that has run as often. */
const QUEUED = [10_000, 1000, 0]

/** Rounds until the log of each file is as long as it gets (`wal_autocheckpoint`): what makes a file longer waits for more than its bytes. */
const WARM = 220

/** From the bridge's handler being called to its answer, with the edit on disk (sync.md, "Life of an edit"). */
export const enqueue: Bench = {
  name: 'enqueue',
  about:
    'A change of one website: the handler of the bridge is called, the edit is on disk, the answer is there. Against one ' +
    'row of the same bytes in a commit of its own with the same settings of SQLite, and against the same bytes appended ' +
    'to a file and synchronised (`fdatasync`). The longest queue is filled and measured first, so ' +
    'that the script of all three has run as often, and each only once its log has its full length; before it the first changes of the process are, whose script has hardly run.',
  async run({ quick }) {
    const { folder, end } = temporaryFolder()
    try {
      const rounds = quick ? 40 : 400
      const first = await measure(folder, { queued: 0, rounds, warm: 20 })
      const figures: Figure[] = []
      for (const queued of quick ? QUEUED.slice(1) : QUEUED)
        figures.unshift(...(await measure(folder, { queued, rounds, warm: WARM })))
      return [...figures, ...first.map(asFirst)]
    } finally {
      end()
    }
  },
}

/** As long as the row of such an edit. */
export const ROW = JSON.stringify({
  id: 'x'.repeat(36),
  website: 'x'.repeat(36),
  settings: '{"email":true}',
  base: '{"settings":{"email":false}}',
  state: 'queued',
  standing: '{"state":"queued"}',
})

/** The bridge's handler over a file with so many edits in it; `write` can be called `spare` times, with 0, 1, 2 … */
export async function openQueue(folder: string, { queued, spare }: { queued: number; spare: number }) {
  const opened = await openConnection(folder)
  const keys = fill(opened, queued + spare)
  const invoke = checked('updateWebsite', websiteHandlers(opened.connections).updateWebsite, {
    isOurPage: () => true,
    gate: { enter: () => true, leave: () => undefined },
    log: () => undefined,
  })
  async function write(key = ''): Promise<void> {
    const answer = await invoke({} as IpcMainInvokeEvent, { key, changes: { email: true } })
    if (!answer.ok) throw new Error(answer.error.code)
  }
  for (const key of keys.splice(0, queued)) await write(key)
  return {
    write: (n: number) => write(keys[n]),
    end: () => opened.connection.close(),
  }
}

const asFirst = (figure: Figure): Figure => ({
  ...figure,
  name: figure.name.replace('0 queued', 'the first changes of a process'),
  bar: null,
})

async function measure(
  folder: string,
  { queued, rounds, warm }: { queued: number; rounds: number; warm: number },
): Promise<Figure[]> {
  const ours = await openQueue(folder, { queued, spare: rounds + warm })
  const commit = bareCommit(folder)
  const append = bareAppend(folder)
  const times = await inTurn(
    {
      // What follows the answer (sending, the tray) isn't part of it, and no part of the next one either.
      ours: { before: () => othersTurn(), run: ours.write },
      commit: { run: () => commit.write(ROW) },
      append: { run: () => append.write(ROW) },
    },
    { rounds, warm },
  )
  for (const { end } of [commit, append]) end()
  await ours.end()
  const inMs = (name: keyof typeof times) => `${times[name].median.toFixed(3)} ms`
  return [
    {
      name: `enqueue, ${queued} queued: a bare commit`,
      ratio: ratio(times.ours, times.commit),
      bar: null,
      of: `${inMs('ours')} to ${inMs('commit')}`,
    },
    {
      name: `enqueue, ${queued} queued: append and fdatasync`,
      ratio: ratio(times.ours, times.append),
      bar: { most: 1.6 },
      of: `${inMs('ours')} to ${inMs('append')}`,
    },
    {
      // What no client over SQLite can be better than.
      name: `enqueue, ${queued} queued: what a bare commit takes of an append`,
      ratio: ratio(times.commit, times.append),
      bar: null,
      of: `${inMs('commit')} to ${inMs('append')}`,
    },
  ]
}

/** With the settings of src/main/storage/open.ts. */
export function openBare(folder: string): Database.Database {
  const db = new Database(join(folder, `bare-${Math.random()}.sqlite`))
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  if (process.platform === 'darwin') db.pragma('fullfsync = ON')
  db.pragma('wal_autocheckpoint = 200')
  db.pragma('secure_delete = ON')
  return db
}

/** One row in a commit of its own. */
export function bareCommit(folder: string): { write: (text: string) => void; end: () => void } {
  const db = openBare(folder)
  db.exec('CREATE TABLE row (n INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = db.prepare('INSERT INTO row (text) VALUES (?)')
  return { write: (text) => void insert.run(text), end: () => void db.close() }
}

/** The same bytes at the end of a file, synchronised. */
export function bareAppend(folder: string): { write: (text: string) => void; end: () => void } {
  const file = openSync(join(folder, `bare-${Math.random()}.log`), 'a')
  return {
    write(text) {
      writeSync(file, text)
      fdatasyncSync(file)
    },
    end: () => closeSync(file),
  }
}
