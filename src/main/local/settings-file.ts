import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { normalizeAddress } from '../../shared/connection.ts'
import { readJson } from '../../shared/json.ts'
import { addressBookSchema, MAX_ADDRESS_BOOK, type NamedAddress } from '../../shared/named-address.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import {
  accountSections,
  fileSettingsSchema,
  type AccountSectionName,
  type ImportedSettings,
  type SectionEffect,
  type SettingsImport,
} from '../../shared/settings-file.ts'
import type { Settings } from '../../shared/state.ts'
import { isStatisticsTemplate, MAX_TEMPLATE, STATISTICS_TEMPLATE } from '../../shared/statistics-address.ts'
import { toConnectionName } from '../../shared/validate.ts'
import type { OpenConnection } from '../connection/open-connection.ts'
import type { Connections } from '../connection/ports.ts'
import type { StoredConnection } from '../storage/app.ts'
import { exceededLimit, sectionsOfAccount } from './account-sections.ts'
import { compareByName } from './compare-values.ts'

const FORMAT = 'siteward-settings'
const VERSION = 1
const MAX_ACCOUNTS = 1000

/** The app's settings and accounts, without secrets: an export reads neither the keychain nor certificate files. */
export interface SettingsFile {
  /** `missing`: the labels of the accounts that are left out because their files can't be read. */
  export(): Promise<{ text: string; missing: string[] }>
  /** Reads a file, and changes nothing. Errors: `bad-file`; `newer-version` for a file of a newer version. */
  open(text: string): Promise<Result<OpenedSettings>>
}

/** A settings file that was read: the effect of its import, and the import itself. */
export interface OpenedSettings {
  effect: SettingsImport
  /**
   * Adds what the file has, and replaces what has the same name. Removes nothing. New accounts have no key. Leaves out what
   * `effect` lists as not imported. The app's own file is written last, so that the import can be repeated after an error.
   * Errors: those of opening the file of an account, `disk-full`, `storage`, `newer-version`.
   */
  import(): Promise<Result<void>>
}

export interface SettingsFilePorts {
  connections: Pick<Connections, 'visit' | 'import'>
  accounts: () => StoredConnection[]
  settings: { now(): Settings; change(changes: Partial<Settings>, accounts: StoredConnection[]): Result<Settings> }
  newId: () => string
}

/** The schema of each list that an account may have in a settings file. */
const sectionShape = Object.fromEntries(
  accountSections.map((name) => [name, sectionsOfAccount[name].schema.optional()]),
) as Record<AccountSectionName, z.ZodOptional<z.ZodType<unknown[]>>>

const fileAccountSchema = z
  .object({
    id: z.string().min(1).max(100),
    address: z
      .string()
      .max(2048)
      .refine((address) => {
        const normal = normalizeAddress(address)
        return normal.ok && normal.value.address === address
      }),
    accountId: z.string().max(1000).nullable(),
    name: z.string().transform(toConnectionName),
    statisticsAddress: z.string().max(MAX_TEMPLATE).optional(),
    ...sectionShape,
  })
  .refine(
    ({ address, statisticsAddress: template }) =>
      template === undefined || template === STATISTICS_TEMPLATE || isStatisticsTemplate(template, address),
  )
type FileAccount = z.infer<typeof fileAccountSchema>

const headSchema = z.object({ format: z.literal(FORMAT), version: z.number().int().min(1) })
const fileSchema = headSchema.extend({
  settings: fileSettingsSchema.partial().optional(),
  addresses: addressBookSchema.optional(),
  accounts: z.array(fileAccountSchema).max(MAX_ACCOUNTS).optional(),
})
type FileContent = z.infer<typeof fileSchema>

/** `saved`: the saved account that `fromFile` means, or null. `record`: the account as it will be saved. */
interface PlannedAccount {
  fromFile: FileAccount
  saved: StoredConnection | null
  record: StoredConnection
  label: string
}

export function createSettingsFile({ connections, accounts, settings, newId }: SettingsFilePorts): SettingsFile {
  const templateOf = (id: string): string | undefined => settings.now().statisticsAddresses[id]

  /** Errors: those of opening and reading the account's own file. */
  async function exported(record: StoredConnection): Promise<Result<FileAccount>> {
    const { id, address, accountId, name } = record
    const account: FileAccount = { id, address, accountId, name, statisticsAddress: templateOf(id) }
    const read = await connections.visit(id, (connection): Result<void> => {
      for (const section of accountSections) {
        const values = sectionsOfAccount[section].read(connection)
        if (!values.ok) return values
        account[section] = values.value
      }
      return ok(undefined)
    })
    const done = read.ok ? read.value : read
    return done.ok ? ok(account) : done
  }

  /** Finds the saved account that each account of a file means, each at most once. */
  function plan(fromFile: readonly FileAccount[]): PlannedAccount[] {
    const left = accounts().filter(({ sample }) => !sample)
    const planned = fromFile.map((account) => {
      const at = left.findIndex(createAccountMatcher(account, left))
      const [saved = null] = at < 0 ? [] : left.splice(at, 1)
      const { address, accountId, name } = account
      const record = saved ? { ...saved, name } : { id: newId(), address, accountId, name, sample: false }
      return { fromFile: account, saved, record }
    })
    const all = [...planned.map(({ record }) => record), ...left]
    return planned.map((one) => ({ ...one, label: labelOf(one.record, all) }))
  }

  /** Returns the statistics address that the import would store, or undefined if the present one stays as it is. */
  const newTemplate = ({ fromFile, record }: PlannedAccount): string | undefined =>
    fromFile.statisticsAddress === templateOf(record.id) ? undefined : fromFile.statisticsAddress

  const isChanged = (one: PlannedAccount): boolean =>
    one.saved?.name !== one.record.name || newTemplate(one) !== undefined

  /** Errors: `newer-version` if the account is read-only, those of opening its file. */
  async function effectsIn({ fromFile, saved, label }: PlannedAccount): Promise<Result<SectionEffect[]>> {
    const effects: SectionEffect[] = []
    const compare = (connection: OpenConnection | null): Result<void> => {
      if (connection?.readOnly) return fail('newer-version')
      for (const section of accountSections) {
        if (fromFile[section] === undefined || fromFile[section].length === 0) continue
        const effect = sectionsOfAccount[section].compare(connection, fromFile[section])
        if (!effect.ok) return effect
        const limit = exceededLimit(connection, section, fromFile)
        if (!limit.ok) return limit
        effects.push({ section, account: label, ...effect.value, limit: limit.value })
      }
      return ok(undefined)
    }
    const visited = saved === null ? ok(compare(null)) : await connections.visit(saved.id, compare)
    const done = visited.ok ? visited.value : visited
    return done.ok ? ok(effects) : done
  }

  function changedSettings(fromFile: ImportedSettings): ImportedSettings {
    const now = settings.now()
    const names = Object.keys(fromFile) as (keyof ImportedSettings)[]
    return Object.fromEntries(
      names.filter((name) => !isDeepStrictEqual(fromFile[name], now[name])).map((name) => [name, fromFile[name]]),
    )
  }

  function settingsEffect(fromFile: ImportedSettings): SectionEffect[] {
    const changed = Object.keys(changedSettings(fromFile))
    const unchanged = Object.keys(fromFile).length - changed.length
    return [{ section: 'settings', account: null, added: [], changed, unchanged, limit: null }]
  }

  const compareAddresses = (fromFile: readonly NamedAddress[]) =>
    compareByName(settings.now().namedAddresses, fromFile, ({ name }) => name)

  function addressesEffect(fromFile: readonly NamedAddress[]): SectionEffect[] {
    const { effect, merged } = compareAddresses(fromFile)
    const limit = merged.length > MAX_ADDRESS_BOOK.sets ? MAX_ADDRESS_BOOK.sets : null
    return [{ section: 'addresses', account: null, ...effect, limit }]
  }

  function accountsEffect(planned: readonly PlannedAccount[]): SectionEffect[] {
    const changed = planned.filter((one) => one.saved !== null && isChanged(one))
    const added = planned.filter(({ saved }) => saved === null)
    return [
      {
        ...{ section: 'accounts', account: null },
        added: added.map(({ record, label }) => (label === record.name ? nameWithAddress(record) : label)),
        changed: changed.map(({ label }) => label),
        unchanged: planned.length - changed.length - added.length,
        limit: null,
      },
    ]
  }

  /** Writes all sections of an account in one transaction. */
  const fill =
    ({ fromFile }: PlannedAccount) =>
    (connection: OpenConnection): Result<void> =>
      connection.write(() => {
        for (const section of accountSections) {
          const written = sectionsOfAccount[section].write(connection, fromFile[section] ?? [])
          if (!written.ok) return written
        }
        return ok(undefined)
      })

  /** Writes the file of each account first, then the app's own file. */
  function save(file: FileContent): Promise<Result<void>> {
    const planned = plan(file.accounts ?? [])
    return connections.import(
      planned.map((one) => ({ record: one.record, fill: fill(one) })),
      () => {
        const templates = planned.flatMap(({ fromFile, record }) =>
          fromFile.statisticsAddress === undefined ? [] : [[record.id, fromFile.statisticsAddress]],
        )
        const statisticsAddresses = { ...settings.now().statisticsAddresses, ...Object.fromEntries(templates) }
        const namedAddresses = compareAddresses(file.addresses ?? []).merged
        const records = planned.map(({ record }) => record)
        const saved = settings.change({ ...file.settings, namedAddresses, statisticsAddresses }, records)
        return saved.ok ? ok(undefined) : saved
      },
    )
  }

  return {
    async export() {
      const found: FileAccount[] = []
      const missing: string[] = []
      const all = accounts().filter(({ sample }) => !sample)
      for (const record of all) {
        const account = await exported(record)
        if (account.ok) found.push(account.value)
        else missing.push(labelOf(record, all))
      }
      const head = { format: FORMAT, version: VERSION }
      const now = settings.now()
      const file = { ...head, settings: fileSettingsSchema.parse(now), addresses: now.namedAddresses, accounts: found }
      return { text: `${JSON.stringify(file, null, 2)}\n`, missing }
    },

    async open(text) {
      const file = parseFile(text)
      if (!file.ok) return file
      const { addresses = [] } = file.value
      const inAccounts: SectionEffect[] = []
      const imported: PlannedAccount[] = []
      const skipped: SettingsImport['skipped'] = []
      for (const planned of plan(file.value.accounts ?? [])) {
        const found = await effectsIn(planned)
        if (!found.ok) {
          skipped.push({ account: planned.label, error: found.error })
          continue
        }
        inAccounts.push(...found.value)
        const over = found.value.filter(({ limit }) => limit !== null).map(({ section }) => [section, undefined])
        imported.push({ ...planned, fromFile: { ...planned.fromFile, ...Object.fromEntries(over) } })
      }
      const ofAddresses = addresses.length > 0 ? addressesEffect(addresses) : []
      const effects: SectionEffect[] = [
        ...(file.value.settings ? settingsEffect(file.value.settings) : []),
        ...ofAddresses,
        ...(imported.length > 0 ? accountsEffect(imported) : []),
        ...inAccounts,
      ]
      const rest: FileContent = {
        ...file.value,
        addresses: ofAddresses.some(({ limit }) => limit !== null) ? [] : addresses,
        accounts: imported.map(({ fromFile }) => fromFile),
      }
      const effect: SettingsImport = {
        effects,
        settings: changedSettings(file.value.settings ?? {}),
        statistics: imported.flatMap((one) => {
          const template = newTemplate(one)
          return template === undefined ? [] : [{ account: one.label, template }]
        }),
        skipped,
      }
      return ok({ effect, import: () => save(rest) })
    },
  }
}

const nameWithAddress = ({ name, address }: StoredConnection): string => `${name} (${address})`

/** Returns the account's name; if another account has it too, with the address, and if necessary with its id on the service. */
function labelOf(account: StoredConnection, all: readonly StoredConnection[]): string {
  const { id, name, address, accountId } = account
  const namedAlike = all.filter((one) => one.id !== id && one.name === name)
  if (namedAlike.length === 0) return name
  const hasSameAddress = namedAlike.some((one) => one.address === address)
  return hasSameAddress && accountId !== null ? `${name} (${address}, ${accountId})` : nameWithAddress(account)
}

/**
 * Matches the saved account that has the same id, the same account on the service or, where that is unknown, the same name. The
 * address always has to be the same, so that no file can send a key or an edit to another server.
 */
function createAccountMatcher(
  account: FileAccount,
  among: readonly StoredConnection[],
): (saved: StoredConnection) => boolean {
  const sameAddress = among.filter(({ address }) => address === account.address)
  const found =
    sameAddress.find(({ id }) => id === account.id) ??
    sameAddress.find(({ accountId }) => accountId !== null && accountId === account.accountId) ??
    sameAddress.find(
      ({ accountId, name }) => (accountId === null || account.accountId === null) && name === account.name,
    )
  return (saved) => saved === found
}

/** Errors: `bad-file`; `newer-version` for a file of a newer version. */
function parseFile(text: string): Result<FileContent> {
  const parsed = readJson(text)
  const head = headSchema.safeParse(parsed)
  if (!head.success) return fail('bad-file')
  if (head.data.version > VERSION) return fail('newer-version')
  const file = fileSchema.safeParse(parsed)
  return file.success ? ok(file.data) : fail('bad-file')
}
