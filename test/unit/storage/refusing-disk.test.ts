import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkOrRestoreFile } from '../../../src/main/storage/prepare.ts'
import { openStore } from '../../../src/main/storage/store.ts'
import { codeOf, must } from '../outbox/rig.ts'
import { fillStore, manyEdits } from './filled.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-disk-'))
  file = join(folder, 'c.db')
})

afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true })
})

const here = (name: string) => join(import.meta.dirname, name)

/** Arguments for `unshare`: run a command with its own file system. On most Linux systems, this needs no root rights. */
const mounting = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=4m siteward "$1" && shift && exec "$@"', 'sh']
/** Runs a command with an empty file system of 4 MB in place of the folder `at`. Only this command sees it. */
const mounted = (at: string, ...command: string[]) =>
  spawnSync('unshare', [...mounting, at, ...command], { encoding: 'utf8', timeout: 60_000 })
const canMount = mounted(tmpdir(), 'true').status === 0

test.skipIf(!canMount)(
  'accepts and sends nothing on a full disk, and then sends each accepted edit exactly once',
  () => {
    const { stdout, stderr } = mounted(folder, process.execPath, here('full-disk-child.ts'), folder)
    const saw = JSON.parse(stdout || JSON.stringify({ stderr })) as Record<string, unknown>
    expect(saw).toMatchObject({
      refusal: 'disk-full',
      lost: 0,
      full: { code: 'disk-full', sent: 0 },
      unacknowledged: { code: 'disk-full', filled: true },
      open: 1,
      applied: saw['taken'],
      sent: saw['taken'],
      waiting: 0,
    })
    expect(saw['taken']).toBeGreaterThanOrEqual(20)
  },
  60_000,
)

/** Prepares and opens a file as a user without special rights. */
function asNobody(): { prepared: string | null; opened: string | null } {
  const { stdout, stderr } = spawnSync(process.execPath, [here('open-child.ts'), file, 'nobody'], { encoding: 'utf8' })
  return JSON.parse(stdout || JSON.stringify({ stderr })) as { prepared: string | null; opened: string | null }
}

describe.skipIf(process.platform === 'win32')('without permission', () => {
  const contents = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'base64')])

  test.each([
    ['to write the file', 0o444, 0o755],
    ['to write the folder', 0o644, 0o555],
    ['to read the file', 0o000, 0o755],
  ])('%s, a database does not open, and its files are neither changed nor quarantined', (_what, ofFile, ofFolder) => {
    fillStore(file, manyEdits(5))
    if (process.getuid?.() === 0) for (const path of [folder, file]) chownSync(path, 65_534, 65_534)
    const before = contents()
    chmodSync(file, ofFile)
    chmodSync(folder, ofFolder)
    const { opened } = asNobody()
    expect(opened).toBe('storage')
    chmodSync(folder, 0o700)
    chmodSync(file, 0o600)
    expect(contents()).toEqual(before)
    expect(asNobody()).toEqual({ prepared: null, opened: null })
  })
})

describe('another process that has the database open', () => {
  test('keeps this process from opening or quarantining the file, until the other process is killed', async () => {
    fillStore(file, manyEdits(5))
    const holder = spawn(process.execPath, [here('open-child.ts'), file, 'hold'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    const held = () => readdirSync(folder).filter((name) => name.includes('damaged'))
    expect(codeOf(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))).toBe('in-use')
    expect(codeOf(openStore(file))).toBe('in-use')
    // A file that another process has open is not quarantined, even if it looks damaged.
    cpSync(file, join(folder, 'whole'))
    writeFileSync(file, Buffer.alloc(20_000, 7), { flag: 'r+' })
    expect(codeOf(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))).toBe('in-use')
    expect(held()).toEqual([])
    writeFileSync(file, readFileSync(join(folder, 'whole')), { flag: 'r+' })
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    must(checkOrRestoreFile({ file, kind: 'connection', hadData: true }))
    const store = must(openStore(file))
    expect(store.counts().waiting + store.counts().parked).toBe(5)
    expect(store.website('held')).not.toBeNull()
    store.close()
  })
})
