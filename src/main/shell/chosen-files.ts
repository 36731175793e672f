import { BrowserWindow, dialog, type OpenDialogOptions, type WebContents } from 'electron'
import { m } from '../../messages/index.ts'
import { listFileExtensions } from '../../shared/list-text.ts'
import type { CertificateUse } from '../../shared/network.ts'
import { ok, type Result } from '../../shared/result.ts'
import {
  readCertificate,
  readWebsiteListFile,
  readSettingsFile,
  readQueueFile,
  readUserTable,
  writeUserFile,
} from './user-file.ts'

/** The kinds of files that can be saved. `name`: the start of the default file name. `type`: the name of the file type. */
const kinds = {
  changes: { name: 'siteward-pending', title: m.file_export_pending, type: m.file_type_changes, extension: 'json' },
  activity: { name: 'siteward-activity', title: m.file_export_activity, type: m.file_type_csv, extension: 'csv' },
  settings: { name: 'siteward-settings', title: m.file_export_settings, type: m.file_type_settings, extension: 'json' },
  csv: { name: 'siteward-websites', title: m.file_export_websites, type: m.file_type_csv, extension: 'csv' },
  json: { name: 'siteward-websites', title: m.file_export_websites, type: m.file_type_json, extension: 'json' },
} as const
type SavedFileKind = keyof typeof kinds

const certificateExtensions = ['pem', 'crt', 'cer', 'der']
/** Only for client certificates: these files can also have a private key. */
const clientCertificateExtensions = ['key', 'p12', 'pfx']

/** No caller learns the path of a file that is read. */
export interface FileDialogs {
  /** Asks where to save a file. Null if the user cancels. */
  askSavePath(kind: SavedFileKind): Promise<string | null>
  /** A long text may be passed in parts. Errors: `disk-full`, `not-written`. */
  write(path: string, text: string | readonly string[]): Promise<Result<void>>
  /** Asks for a file of exported changes and reads it. Null if the user cancels. Errors: `not-read`, `bad-file`. */
  openQueue(): Promise<Result<string> | null>
  /** Asks for a settings file and reads it. Null if the user cancels. Errors: `not-read`, `file-too-large`, `not-text`. */
  openSettings(): Promise<Result<string> | null>
  /** Asks for a list of websites and reads it. Null if the user cancels. Errors: `not-read`, `file-too-large`, `not-text`. */
  openList(): Promise<Result<string> | null>
  /** Asks for an edited table and reads it. Null if the user cancels. Errors: `not-read`, `table-too-large`. */
  openTable(): Promise<Result<Uint8Array> | null>
  /** Asks for at most five files and reads them. Null if the user cancels. Errors: `not-read`, `certificate-too-large`. */
  chooseCertificates(use: CertificateUse): Promise<Result<Uint8Array[]> | null>
}

/** Maximum number of files of one certificate. Further chosen files are ignored. */
const MAX_FILES = 5

export function createFileDialogs(window: () => WebContents | undefined): FileDialogs {
  /** Returns the window in front of which a dialog stays, or null. */
  const parent = (): BrowserWindow | null => {
    const contents = window()
    return contents === undefined ? null : BrowserWindow.fromWebContents(contents)
  }

  async function open(options: OpenDialogOptions): Promise<string[]> {
    const over = parent()
    const choice = await (over === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(over, options))
    return choice.canceled ? [] : choice.filePaths
  }

  /** Asks the user for a file and reads it. Null if the user cancels. */
  async function openFile<T>(
    options: OpenDialogOptions,
    read: (path: string) => Promise<Result<T>>,
  ): Promise<Result<T> | null> {
    const [path] = await open({ ...options, properties: ['openFile'] })
    return path === undefined ? null : read(path)
  }

  return {
    async askSavePath(kind) {
      const { name, title, extension } = kinds[kind]
      const defaultPath = `${name}-${dayOf(new Date())}.${extension}`
      const options = { title: title(), defaultPath, filters: filtersOf(kind) }
      const over = parent()
      const choice = await (over === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(over, options))
      return choice.canceled || choice.filePath === '' ? null : choice.filePath
    },
    write: writeUserFile,
    openQueue: () => openFile({ title: m.file_import_pending(), filters: filtersOf('changes') }, readQueueFile),
    openSettings: () => openFile({ title: m.file_import_settings(), filters: filtersOf('settings') }, readSettingsFile),
    openList: () =>
      openFile({ title: m.file_open_list(), filters: listFilters(listFileExtensions) }, readWebsiteListFile),
    openTable: () =>
      openFile({ title: m.file_open_table(), filters: listFilters(['csv', 'tsv', 'txt']) }, readUserTable),
    async chooseCertificates(use) {
      const title = use === 'client' ? m.file_open_client_certificate() : m.file_open_authority()
      const filters = [
        {
          name: m.file_type_certificates(),
          extensions: [...certificateExtensions, ...(use === 'client' ? clientCertificateExtensions : [])],
        },
        { name: m.file_type_all(), extensions: ['*'] },
      ]
      const paths = await open({ title, filters, properties: ['openFile', 'multiSelections'] })
      if (paths.length === 0) return null
      const read: Uint8Array[] = []
      for (const path of paths.slice(0, MAX_FILES)) {
        const bytes = await readCertificate(path)
        if (!bytes.ok) return bytes
        read.push(bytes.value)
      }
      return ok(read)
    },
  }
}

const filtersOf = (kind: SavedFileKind) => [{ name: kinds[kind].type(), extensions: [kinds[kind].extension] }]
const listFilters = (extensions: readonly string[]) => [{ name: m.file_type_lists(), extensions: [...extensions] }]

/** Local date as YYYY-MM-DD. */
function dayOf(day: Date): string {
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${String(day.getFullYear())}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
