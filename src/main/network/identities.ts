import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { SecretStorage } from '../../shared/connection.ts'
import type { NetworkSettings } from '../../shared/network.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { clientCertificateEntries } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'
import { NeverSent } from '../service/request-errors.ts'
import type { TlsIdentity } from '../service/tls-identity.ts'
import { isNodeDiskFull } from '../storage/files.ts'
import { describeCertificate, type LoadedClientCertificate } from './certificate-files.ts'

/** Stands for the id of the connection being added, whose certificates stay in memory until the connection is saved. */
export const DRAFT_CONNECTION_ID = 'new'

/** The certificates of each connection, in a file beside its database. The keychain has the private key's passphrase. */
export interface ConnectionCertificates {
  /** Reads the certificates of a connection; null if it has none. Rejects with {@link NeverSent} if they can't be read. */
  load(connection: string): Promise<TlsIdentity | null>
  /** Returns the certificates for display. Empty if they can't be read. */
  view(connection: string): Pick<NetworkSettings, 'client' | 'authorities'>
  /**
   * Stores the client certificate of a connection, or removes it if `read` is null. Returns `run` if the change lasts only
   * until the app ends. Errors: `keychain-locked`, `keychain-timeout`, `disk-full`, `storage`.
   */
  setClient(connection: string, read: LoadedClientCertificate | null): Promise<Result<SecretStorage>>
  /** Replaces the additional authorities (PEM). Returns as for {@link setClient}. Errors: `disk-full`, `storage`. */
  setAuthorities(connection: string, authorities: readonly string[]): Promise<Result<SecretStorage>>
  /** Gives the draft's certificates to the new connection `by`; with `run`, until the app ends. Errors: as {@link setClient}. */
  adoptDraft(by: string, storage: SecretStorage): Promise<Result<void>>
  /** Forgets a removed connection's certificates in memory. Their file is deleted together with its database. */
  forget(connection: string): void
}

const fileSchema = z.object({
  authorities: z.array(z.string()),
  /** `certificate`: the client's own certificate (PEM), to show it without the passphrase. */
  client: z
    .discriminatedUnion('format', [
      z.object({ format: z.literal('p12'), content: z.base64(), certificate: z.string() }),
      z.object({ format: z.literal('pem'), chain: z.string(), key: z.string(), certificate: z.string() }),
    ])
    .nullable(),
  /** Which of the connection's two keychain entries has the passphrase. */
  entry: z.union([z.literal(0), z.literal(1)]).default(0),
})
type Stored = z.infer<typeof fileSchema>

/** Certificates that are only in memory: those of the connection being added, or those that can't be stored. */
interface InMemory {
  authorities: readonly string[]
  client: LoadedClientCertificate | null
}

/** The stored certificates of a connection that has none. */
const NONE: Stored = { authorities: [], client: null, entry: 0 }

export interface ConnectionCertificatesOptions {
  keychain: Keychain
  /** Returns the path for the certificates of a connection. The folder exists. */
  fileOf: (connection: string) => string
  /** Milliseconds since 1970. */
  now: () => number
}

export function createConnectionCertificates({
  keychain,
  fileOf,
  now,
}: ConnectionCertificatesOptions): ConnectionCertificates {
  const inMemory = new Map<string, InMemory>()
  const loaded = new Map<string, Promise<TlsIdentity | null>>()

  /** Throws {@link NeverSent} if the file is damaged. */
  function stored(connection: string): Stored {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(fileOf(connection), 'utf8')))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NONE
      throw new NeverSent('client-certificate', { cause: error })
    }
  }

  /** A damaged file counts as empty. Saving replaces it. */
  function storedOrNone(connection: string): Stored {
    try {
      return stored(connection)
    } catch {
      return NONE
    }
  }

  const authoritiesOf = (connection: string): string[] => [
    ...(inMemory.get(connection) ?? storedOrNone(connection)).authorities,
  ]

  async function read(connection: string): Promise<TlsIdentity | null> {
    const memory = inMemory.get(connection)
    if (memory !== undefined) return { authorities: memory.authorities, client: memory.client?.client ?? null }
    if (connection === DRAFT_CONNECTION_ID) return null
    const { authorities, client, entry } = stored(connection)
    if (client === null) return authorities.length === 0 ? null : { authorities, client }
    const found = await keychain.getUnlessRefused(clientCertificateEntries(connection)[entry])
    if (!found.ok || found.value === null) throw new NeverSent('client-certificate')
    const passphrase = new Secret(found.value)
    return {
      authorities,
      client:
        client.format === 'p12'
          ? { format: 'p12', content: Buffer.from(client.content, 'base64'), passphrase }
          : { format: 'pem', chain: client.chain, key: client.key, passphrase },
    }
  }

  /** Changes the certificates of a connection only until the app ends. */
  function keepInMemory(connection: string, change: Partial<InMemory>): Result<SecretStorage> {
    const former = inMemory.get(connection) ?? { authorities: storedOrNone(connection).authorities, client: null }
    inMemory.set(connection, { ...former, ...change })
    loaded.delete(connection)
    return ok('run')
  }

  /** Removes the file if no certificates are left. */
  function save(connection: string, change: Partial<Stored>): Result<SecretStorage> {
    const next = { ...storedOrNone(connection), ...change }
    const written =
      next.client === null && next.authorities.length === 0
        ? erase(fileOf(connection))
        : replaceFile(fileOf(connection), next)
    if (!written.ok) return written
    inMemory.delete(connection)
    loaded.delete(connection)
    return ok('keychain')
  }

  async function setClient(connection: string, chosen: LoadedClientCertificate | null): Promise<Result<SecretStorage>> {
    if (connection === DRAFT_CONNECTION_ID) return keepInMemory(connection, { client: chosen })
    const entries = clientCertificateEntries(connection)
    if (chosen === null) {
      const saved = save(connection, { authorities: authoritiesOf(connection), client: null })
      const recorded = saved.ok ? entries.filter((name) => keychain.isRecorded(name)) : []
      const gone = await Promise.all(recorded.map((name) => keychain.delete(name)))
      const failed = gone.find(({ ok }) => !ok)
      return failed?.ok === false ? failed : saved
    }
    // The former certificate keeps its own entry. Even if storing the new passphrase fails, it may still be stored later.
    const entry = storedOrNone(connection).entry === 1 || !keychain.isRecorded(entries[0]) ? 0 : 1
    const saved = await keychain.set(entries[entry], chosen.client.passphrase)
    if (!saved.ok) return saved.error.code === 'keychain-missing' ? keepInMemory(connection, { client: chosen }) : saved
    const written = save(connection, { authorities: authoritiesOf(connection), client: storedClient(chosen), entry })
    const unused = entries[written.ok ? 1 - entry : entry]
    if (unused !== undefined && keychain.isRecorded(unused)) await keychain.delete(unused)
    return written
  }

  return {
    load(connection) {
      const cached = loaded.get(connection)
      if (cached !== undefined) return cached
      const loading = read(connection)
      loaded.set(connection, loading)
      // A failure is not cached, because the keychain may answer later.
      loading.catch(() => loaded.get(connection) === loading && loaded.delete(connection))
      return loading
    },
    view(connection) {
      const { authorities, client } =
        inMemory.get(connection) ?? (connection === DRAFT_CONNECTION_ID ? NONE : storedOrNone(connection))
      return {
        client: client && describeCertificate(client.certificate, now()),
        authorities: authorities.flatMap((pem) => describeCertificate(pem, now()) ?? []),
      }
    },
    setClient,
    async setAuthorities(connection, authorities) {
      const isInMemory = connection === DRAFT_CONNECTION_ID || inMemory.has(connection)
      return isInMemory
        ? keepInMemory(connection, { authorities })
        : save(connection, { authorities: [...authorities] })
    },
    async adoptDraft(by, storage) {
      const draft = inMemory.get(DRAFT_CONNECTION_ID)
      if (draft === undefined || (draft.client === null && draft.authorities.length === 0)) return ok(undefined)
      if (storage === 'run') {
        keepInMemory(by, draft)
      } else {
        if (draft.authorities.length > 0) {
          const saved = save(by, { authorities: [...draft.authorities] })
          if (!saved.ok) return saved
        }
        const saved = draft.client === null ? ok(undefined) : await setClient(by, draft.client)
        if (!saved.ok) return saved
      }
      inMemory.delete(DRAFT_CONNECTION_ID)
      loaded.delete(DRAFT_CONNECTION_ID)
      return ok(undefined)
    },
    forget(connection) {
      inMemory.delete(connection)
      loaded.delete(connection)
    },
  }
}

/** Leaves out the passphrase. */
function storedClient({ client, certificate }: LoadedClientCertificate): Stored['client'] {
  return client.format === 'p12'
    ? { format: 'p12', content: Buffer.from(client.content).toString('base64'), certificate }
    : { format: 'pem', chain: client.chain, key: client.key, certificate }
}

/** Replaces the file atomically. Only its owner may read it. Errors: `disk-full`, `storage`. */
function replaceFile(path: string, content: Stored): Result<void> {
  const part = `${path}.${randomUUID()}.part`
  try {
    writeFileSync(part, JSON.stringify(content), { flag: 'wx', mode: 0o600, flush: true })
    renameSync(part, path)
    return ok(undefined)
  } catch (error) {
    rmSync(part, { force: true })
    return fail(isNodeDiskFull(error) ? 'disk-full' : 'storage')
  }
}

/** Errors: `storage`. */
function erase(path: string): Result<void> {
  try {
    rmSync(path, { force: true })
    return ok(undefined)
  } catch {
    return fail('storage')
  }
}
