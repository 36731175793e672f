import { readImport } from '../src/main/outbox/transfer/import-read.ts'
import type { ReadImport } from '../src/main/outbox/ports.ts'

/** Reads an import in this thread instead of a worker. */
export const readHere: ReadImport = (text) => Promise.resolve(readImport(text))
