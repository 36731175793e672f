import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { connectionNameSchema, normaliseAddress } from '../../shared/connection.ts'
import { addressBookSchema, MOST_NAMED, type NamedAddress } from '../../shared/named-address.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { accountSections, type AccountSectionName, type SettingsImport } from '../../shared/settings-file.ts'
import { settingsSchema, type Settings } from '../../shared/state.ts'
import { isStatisticsTemplate, MOST_TEMPLATE, STATISTICS_TEMPLATE } from '../../shared/statistics-address.ts'
import type { OpenConnection } from '../connection/open.ts'
import type { Connections } from '../connection/ports.ts'
import type { StoredConnection } from '../storage/app.ts'
import { sectionsOfAccount } from './account-sections.ts'
import { compareValues } from './compare-values.ts'

const FORMAT = 'siteward-settings'
const VERSION = 1
const MOST_ACCOUNTS = 1000

/**
 * A file with the settings of the app, and with the accounts and what they keep on this computer. It has no secret: keys, passwords,
 * passphrases and certificates are in the keychain or in files of their own, which an export doesn't read.
 */
export interface SettingsFile {
  /** Returns the text of a file. Errors: those of opening the file of an account. */
  export(): Promise<Result<string>>
  /**
   * Returns the effect of importing a file, and changes nothing. Errors: `bad-file`; `newer-version` for a file of a newer version;
   * those of opening the file of an account.
   */
  preview(text: string): Promise<Result<SettingsImport>>
  /**
   * Adds what a file has, and replaces what has the same name. Nothing is removed. New accounts have no key. Each file is written at
   * once, the app's own last. After an error, the import can be repeated. Errors: as for the preview, `disk-full`, `storage`,
   * `invalid-input`.
   */
  import(text: string): Promise<Result<void>>
}

export interface SettingsFilePorts {
  connections: Pick<Connections, 'visit' | 'import'>
  /** Returns the saved accounts. */
  accounts: () => StoredConnection[]
  settings: { now(): Settings; change(changes: Partial<Settings>, accounts: StoredConnection[]): Result<Settings> }
  newId: () => string
}

/** The settings of a file. The others belong to this computer or to an account, or are no preference. */
const fileSettingsSchema = settingsSchema.omit({
  ...{ paused: true, startWithSession: true, searchShortcut: true },
  ...{ statisticsAddresses: true, namedAddresses: true },
})

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
        const normal = normaliseAddress(address)
        return normal.ok && normal.value.address === address
      }),
    accountId: z.string().max(1000).nullable(),
    name: connectionNameSchema,
    statisticsAddress: z.string().max(MOST_TEMPLATE).optional(),
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
  accounts: z.array(fileAccountSchema).max(MOST_ACCOUNTS).optional(),
})

/** An account of a file. `own`: the saved account that it means, or null. `record`: the account as it will be saved. */
interface Planned {
  given: FileAccount
  own: StoredConnection | null
  record: StoredConnection
}

export function createSettingsFile({ connections, accounts, settings, newId }: SettingsFilePorts): SettingsFile {
  const templateOf = (id: string): string | undefined => settings.now().statisticsAddresses[id]

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

  function plan(given: readonly FileAccount[]): Planned[] {
    const left = accounts().filter(({ sample }) => !sample)
    return given.map((account) => {
      const at = left.findIndex(isSame(account, left))
      const [own = null] = at < 0 ? [] : left.splice(at, 1)
      const { address, accountId, name } = account
      const record = own ? { ...own, name } : { id: newId(), address, accountId, name, sample: false }
      return { given: account, own, record }
    })
  }

  const isChanged = ({ given, own, record }: Planned): boolean =>
    own?.name !== record.name ||
    (given.statisticsAddress !== undefined && given.statisticsAddress !== templateOf(record.id))

  async function effectsIn({ given, own, record }: Planned): Promise<Result<SettingsImport>> {
    const effects: SettingsImport = []
    const compare = (connection: OpenConnection | null): Result<void> => {
      for (const section of accountSections) {
        if (given[section] === undefined || given[section].length === 0) continue
        const effect = sectionsOfAccount[section].compare(connection, given[section])
        if (!effect.ok) return effect
        effects.push({ section, account: record.name, ...effect.value })
      }
      return ok(undefined)
    }
    const visited = own === null ? ok(compare(null)) : await connections.visit(own.id, compare)
    const done = visited.ok ? visited.value : visited
    return done.ok ? ok(effects) : done
  }

  function settingsEffect(given: Partial<Settings>): SettingsImport {
    const now = settings.now()
    const names = Object.keys(given) as (keyof Settings)[]
    const changed = names.filter((name) => !isDeepStrictEqual(given[name], now[name]))
    return [{ section: 'settings', account: null, added: [], changed, unchanged: names.length - changed.length }]
  }

  const compareAddresses = (given: readonly NamedAddress[]) =>
    compareValues(settings.now().namedAddresses, given, ({ name }) => name)

  function accountsEffect(planned: readonly Planned[]): SettingsImport {
    const changed = planned.filter((one) => one.own !== null && isChanged(one))
    const added = planned.filter(({ own }) => own === null)
    return [
      {
        ...{ section: 'accounts', account: null },
        added: added.map(({ record }) => `${record.name} (${record.address})`),
        changed: changed.map(({ record }) => record.name),
        unchanged: planned.length - changed.length - added.length,
      },
    ]
  }

  /** Writes what an account keeps, in one transaction. */
  const fill =
    ({ given }: Planned) =>
    (connection: OpenConnection): Result<void> =>
      connection.write(() => {
        for (const section of accountSections) {
          const written = sectionsOfAccount[section].write(connection, given[section] ?? [])
          if (!written.ok) return written
        }
        return ok(undefined)
      })

  return {
    async export() {
      const found: FileAccount[] = []
      for (const record of accounts()) {
        if (record.sample) continue
        const account = await exported(record)
        if (!account.ok) return account
        found.push(account.value)
      }
      const head = { format: FORMAT, version: VERSION }
      const now = settings.now()
      const file = { ...head, settings: fileSettingsSchema.parse(now), addresses: now.namedAddresses, accounts: found }
      return ok(`${JSON.stringify(file, null, 2)}\n`)
    },

    async preview(text) {
      const file = readFile(text)
      if (!file.ok) return file
      const planned = plan(file.value.accounts ?? [])
      const { addresses = [] } = file.value
      const effects: SettingsImport = [
        ...(file.value.settings ? settingsEffect(file.value.settings) : []),
        ...(addresses.length > 0
          ? [{ ...({ section: 'addresses', account: null } as const), ...compareAddresses(addresses).effect }]
          : []),
        ...(planned.length > 0 ? accountsEffect(planned) : []),
      ]
      for (const one of planned) {
        const found = await effectsIn(one)
        if (!found.ok) return found
        effects.push(...found.value)
      }
      return ok(effects)
    },

    async import(text) {
      const file = readFile(text)
      if (!file.ok) return file
      const planned = plan(file.value.accounts ?? [])
      const namedAddresses = compareAddresses(file.value.addresses ?? []).merged
      if (namedAddresses.length > MOST_NAMED.sets) return fail('invalid-input')
      return connections.import(
        planned.map((one) => ({ record: one.record, fill: fill(one) })),
        () => {
          const templates = planned.flatMap(({ given, record }) =>
            given.statisticsAddress === undefined ? [] : [[record.id, given.statisticsAddress]],
          )
          const statisticsAddresses = { ...settings.now().statisticsAddresses, ...Object.fromEntries(templates) }
          const records = planned.map(({ record }) => record)
          const saved = settings.change({ ...file.value.settings, namedAddresses, statisticsAddresses }, records)
          return saved.ok ? ok(undefined) : saved
        },
      )
    },
  }
}

/**
 * Returns a function that is true for the saved account that an account of a file means. The address always has to be the same, so that
 * no file can send a key or a pending change to another server.
 */
function isSame(given: FileAccount, among: readonly StoredConnection[]): (saved: StoredConnection) => boolean {
  const here = among.filter(({ address }) => address === given.address)
  const found =
    here.find(({ id }) => id === given.id) ??
    here.find(({ accountId }) => accountId !== null && accountId === given.accountId) ??
    here.find(({ accountId, name }) => (accountId === null || given.accountId === null) && name === given.name)
  return (saved) => saved === found
}

function readFile(text: string): Result<z.infer<typeof fileSchema>> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return fail('bad-file')
  }
  const head = headSchema.safeParse(parsed)
  if (!head.success) return fail('bad-file')
  if (head.data.version > VERSION) return fail('newer-version')
  const file = fileSchema.safeParse(parsed)
  return file.success ? ok(file.data) : fail('bad-file')
}
