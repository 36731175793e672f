import { posix } from 'node:path'
import type { Dice } from '../random.ts'
import type { Op } from './record.ts'

/** Files by path. A folder is null. */
export type Image = Map<string, Buffer | null>

/**
 * Which of the changes that were not synced survive a power cut. `first`: the first ones, and a part of the next. `any`: any of
 * them, in sectors of 512 bytes, so that a write may be torn and later writes may survive without earlier ones.
 */
export type Remainder = 'nothing' | 'all' | 'first' | 'any'

/**
 * Which creations, removals and renames of files survive a power cut. `ordered`: they survive in order, and any sync includes all
 * earlier ones, as in a journal (ext4, XFS, APFS). `loose`: each one survives only once its folder is synced, because POSIX
 * promises no more.
 */
export type Names = 'ordered' | 'loose'

/** A disk writes this many bytes at once or not at all. */
const SECTOR = 512

interface Written {
  offset: number
  data: Buffer
}
type Change = Written | { size: number }
type NameChange = Extract<Op, { path: string }> & { kind: 'open' | 'rename' | 'unlink' | 'mkdir' | 'rmdir' }

interface File {
  synced: Content
  pending: Change[]
}

/** A simulated disk, which loses its cache at a power cut. */
export class Disk {
  readonly #files = new Map<number, File>()
  /** The names that survive any power cut, with the number of the file. Null for a folder. */
  readonly #synced = new Map<string, number | null>()
  /** The creations, removals and renames that are not synced, in order. */
  #names: NameChange[] = []
  readonly #kind: Names
  /** The number of the next file that exists at the start. These numbers count down from -1. */
  #unrecorded = -1

  /** `before`: the content at the start of the process, completely synced. */
  constructor(before: Image, kind: Names) {
    this.#kind = kind
    for (const [path, bytes] of before) {
      if (bytes === null) this.#synced.set(path, null)
      else {
        // The recorder numbers a file when it is opened for the first time. Until then, the file has a negative number.
        this.#files.set(this.#unrecorded, { synced: new Content(bytes), pending: [] })
        this.#synced.set(path, this.#unrecorded--)
      }
    }
  }

  apply(op: Op): void {
    switch (op.kind) {
      case 'open':
        return this.#open(op)
      case 'write':
        return void this.#file(op.file).pending.push({ offset: op.offset, data: op.data })
      case 'truncate':
        return void this.#file(op.file).pending.push({ size: op.size })
      case 'sync':
        return this.#sync(op.file)
      case 'sync-folder':
        return this.#syncNames((change) =>
          [change.path, ...(change.kind === 'rename' ? [change.to] : [])].some((path) => isIn(op.path, path)),
        )
      default:
        this.#names.push(op)
    }
  }

  /** Returns the content after a power cut now. `garbage`: new space that was not written has random bytes, not zeros. */
  after(remainder: Remainder, dice: Dice, garbage: boolean): Image {
    const names = new Map(this.#synced)
    const kept = this.#keep(this.#names, this.#kind === 'ordered' && remainder === 'any' ? 'first' : remainder, dice)
    for (const change of kept) applyNameChange(names, change)
    const image: Image = new Map()
    for (const [path, file] of names) {
      if (!isReachable(names, path)) continue
      image.set(path, file === null ? null : this.#contentAfter(this.#file(file), remainder, dice, garbage))
    }
    return image
  }

  /** Returns the content that the running process sees, synced or not. */
  now(): Image {
    const none = { fraction: () => 0 } as Dice
    return this.after('all', none, false)
  }

  #file(number: number): File {
    const file = this.#files.get(number)
    if (file === undefined) throw new Error(`The record speaks of a file ${String(number)} that was never opened.`)
    return file
  }

  #open(op: Extract<Op, { kind: 'open' }>): void {
    if (op.isNew) {
      this.#files.set(op.file, { synced: new Content(Buffer.alloc(0)), pending: [] })
      this.#names.push(op)
      return
    }
    const names = new Map(this.#synced)
    for (const change of this.#names) applyNameChange(names, change)
    const ours = names.get(op.path)
    if (ours === undefined || ours === null) throw new Error(`${op.path} was opened and wasn't there.`)
    this.#files.set(op.file, this.#file(ours))
    const isOurs = (number: number | null): boolean => number === ours
    for (const [path, number] of this.#synced) if (isOurs(number)) this.#synced.set(path, op.file)
    this.#names = this.#names.map((change) =>
      change.kind === 'open' && isOurs(change.file) ? { ...change, file: op.file } : change,
    )
  }

  #sync(number: number): void {
    const file = this.#file(number)
    for (const change of file.pending) file.synced.change(change)
    file.pending = []
    if (this.#kind === 'ordered') this.#syncNames(() => true)
  }

  /** Makes the selected creations, removals and renames survive any power cut. With `ordered` names, all of them. */
  #syncNames(isMeant: (change: NameChange) => boolean): void {
    for (const change of this.#names)
      if (this.#kind === 'ordered' || isMeant(change)) applyNameChange(this.#synced, change)
    this.#names = this.#kind === 'ordered' ? [] : this.#names.filter((change) => !isMeant(change))
  }

  #keep<T>(pending: readonly T[], remainder: Remainder, dice: Dice): T[] {
    if (remainder === 'nothing') return []
    if (remainder === 'all') return [...pending]
    if (remainder === 'first') return pending.slice(0, dice.below(pending.length + 1))
    return pending.filter(() => dice.chance(0.5))
  }

  #contentAfter({ synced, pending }: File, remainder: Remainder, dice: Dice, garbage: boolean): Buffer {
    const content = new Content(synced.bytes(), garbage ? dice : null)
    for (const change of keptOf(pending, remainder, dice)) content.change(change)
    return content.bytes()
  }
}

/** Yields the changes of a file that survive a power cut although they were not synced. Of a write, only a part may survive. */
function* keptOf(pending: readonly Change[], remainder: Remainder, dice: Dice): Generator<Change> {
  const whole = remainder === 'first' ? dice.below(pending.length + 1) : pending.length
  for (const [index, change] of remainder === 'nothing' ? [] : pending.entries()) {
    if (remainder === 'all' || index < whole) {
      if (remainder !== 'any') yield change
      else
        yield* 'size' in change
          ? [change].filter(() => dice.chance(0.5))
          : sectors(change).filter(() => dice.chance(0.5))
    } else if (index === whole && !('size' in change)) yield* sectors(change).slice(0, dice.below(8))
  }
}

function sectors({ offset, data }: Written): Written[] {
  const parts: Written[] = []
  for (let from = 0; from < data.length;) {
    const end = Math.min(data.length, from + SECTOR - ((offset + from) % SECTOR))
    parts.push({ offset: offset + from, data: data.subarray(from, end) })
    from = end
  }
  return parts
}

/** A growing buffer. Space that was not written contains zeros or random bytes. */
class Content {
  #bytes: Buffer
  #size: number
  readonly #garbage: Dice | null

  constructor(bytes: Buffer, garbage: Dice | null = null) {
    this.#bytes = Buffer.from(bytes)
    this.#size = bytes.length
    this.#garbage = garbage
  }

  change(change: Change): void {
    if ('size' in change) return this.#resize(change.size)
    const end = change.offset + change.data.length
    if (end > this.#size) this.#resize(end)
    change.data.copy(this.#bytes, change.offset)
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  #resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, this.#bytes.length * 2))
      this.#bytes.copy(grown, 0, 0, this.#size)
      this.#bytes = grown
    }
    if (size > this.#size) this.#bytes.fill(this.#garbage === null ? 0 : this.#garbage.below(256), this.#size, size)
    this.#size = size
  }
}

const isIn = (folder: string, path: string): boolean =>
  (posix.dirname(path) === '.' ? '' : posix.dirname(path)) === folder

const isReachable = (names: ReadonlyMap<string, unknown>, path: string): boolean => {
  const folder = posix.dirname(path)
  return folder === '.' || (names.has(folder) && isReachable(names, folder))
}

/** Applies a creation, removal or rename to `names`. Renaming a missing file changes nothing. */
function applyNameChange(names: Map<string, number | null>, change: NameChange): void {
  switch (change.kind) {
    case 'open':
      return void names.set(change.path, change.file)
    case 'mkdir':
      return void names.set(change.path, null)
    case 'unlink':
    case 'rmdir':
      return void names.delete(change.path)
    case 'rename': {
      const file = names.get(change.path)
      if (file === undefined) return
      names.delete(change.path)
      names.set(change.to, file)
    }
  }
}
