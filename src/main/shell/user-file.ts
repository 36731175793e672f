import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MAX_LIST_FILE, decodeListFile } from '../../shared/list-text.ts'
import { fail, ok, type ErrorCode, type Result } from '../../shared/result.ts'
import { MAX_TABLE_FILE } from '../../shared/table-columns.ts'
import { isNodeDiskFull } from '../storage/files.ts'

/** Maximum bytes of a file of exported changes. */
export const MAX_QUEUE_FILE = 128 * 1024 * 1024

// Windows has no O_NONBLOCK.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Atomic; only the owner may read the file. `text`: parts let other work run in between. Errors: `disk-full`, `not-written`. */
export async function writeUserFile(path: string, text: string | readonly string[]): Promise<Result<void>> {
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(part, path)
    return ok(undefined)
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    return fail(isNodeDiskFull(error) ? 'disk-full' : 'not-written')
  }
}

/** Maximum bytes of a settings file. Two tags and a short note for each of 200,000 websites take less than half. */
const MAX_SETTINGS = 128 * 1024 * 1024
const MAX_CERTIFICATE_BYTES = 1024 * 1024

/**
 * Reads a file of exported edits, which may be from an untrusted source. Errors: `not-read`; `bad-file` if it is too large or
 * not UTF-8.
 */
export const readQueueFile = async (path: string): Promise<Result<string>> =>
  textOf(await readBytes(path, MAX_QUEUE_FILE, 'bad-file'), 'bad-file')

/** Errors: `not-read`, `file-too-large`; `not-text` if it is not UTF-8. */
export const readSettingsFile = async (path: string): Promise<Result<string>> =>
  textOf(await readBytes(path, MAX_SETTINGS), 'not-text')

/** Errors: `not-read`, `file-too-large`, `not-text`. */
export async function readWebsiteListFile(path: string): Promise<Result<string>> {
  const bytes = await readBytes(path, MAX_LIST_FILE)
  return bytes.ok ? decodeListFile(bytes.value) : bytes
}

/** Errors: `not-read`, `table-too-large`. */
export const readUserTable = (path: string): Promise<Result<Uint8Array>> =>
  readBytes(path, MAX_TABLE_FILE, 'table-too-large')

/** Errors: `not-read`, `certificate-too-large`. */
export const readCertificate = (path: string): Promise<Result<Uint8Array>> =>
  readBytes(path, MAX_CERTIFICATE_BYTES, 'certificate-too-large')

/** `ifNoText`: the error if the bytes are not UTF-8. */
function textOf(bytes: Result<Uint8Array>, ifNoText: ErrorCode): Result<string> {
  if (!bytes.ok) return bytes
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes.value))
  } catch {
    return fail(ifNoText)
  }
}

/** Checks type and size before reading. Errors: `not-read`; `ifTooLarge` for more than `max` bytes. */
async function readBytes(
  path: string,
  max: number,
  ifTooLarge: ErrorCode = 'file-too-large',
): Promise<Result<Uint8Array>> {
  try {
    // Non-blocking, so that opening a pipe or a device doesn't wait.
    const file = await open(path, OPEN_FLAGS)
    try {
      const about = await file.stat()
      if (!about.isFile()) return fail('not-read')
      if (about.size > max) return fail(ifTooLarge)
      const bytes = Buffer.alloc(about.size)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      return ok(bytes.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    return fail('not-read')
  }
}
