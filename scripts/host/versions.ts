import { createRequire } from 'node:module'

const electron = (createRequire(import.meta.url)('electron/package.json') as { version: string }).version

/** The Electron whose documented behaviour the host follows, marked as not being it. */
export const versions = { ...process.versions, electron: `${electron}-host` }
