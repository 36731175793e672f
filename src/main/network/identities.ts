import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { z } from 'zod'
import type { SecretStorage } from '../../shared/connection.ts'
import type { NetworkSettings } from '../../shared/network.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { clientCertificateEntry } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'
import { NeverSent } from '../service/request-errors.ts'
import type { TlsIdentity } from '../service/tls-identity.ts'
import { isDiskFull } from '../storage/files.ts'
import { describeCertificate, type ReadClient } from './certificate-files.ts'

/** The name of the settings of the account that is being added. They are kept in memory until it is saved. */
export const DRAFT = 'new'

/**
 * The certificates of each connection. They are in a file beside that of the connection, which is deleted with it. The
 * private key in the file is encrypted, and its passphrase is in the keychain.
 */
export interface Identities {
  /** Returns the certificates of a connection. Rejects with {@link NeverSent} if they can't be read. */
  load(of: string): Promise<TlsIdentity | null>
  view(of: string): Pick<NetworkSettings, 'client' | 'authorities'>
  /** Replaces the client certificate; null removes it. Errors: `keychain-locked`, `keychain-timeout`, `disk-full`, `storage`. */
  setClient(of: string, read: ReadClient | null): Promise<Result<SecretStorage>>
  /** Replaces the additional authorities (PEM). Errors: `disk-full`, `storage`. */
  setAuthorities(of: string, authorities: readonly string[]): Promise<Result<SecretStorage>>
  /** Gives the certificates of {@link DRAFT} to a connection that is saved now. Errors: those of {@link setClient}. */
  adoptDraft(by: string, storage: SecretStorage): Promise<Result<void>>
  /** Forgets the certificates of a removed connection in memory. Its file is deleted with the connection's. */
  forget(of: string): void
}

const fileSchema = z.object({
  authorities: z.array(z.string()),
  /** `certificate`: the client's own certificate (PEM), so that it can be shown without the passphrase. */
  client: z
    .discriminatedUnion('format', [
      z.object({ format: z.literal('p12'), content: z.base64(), certificate: z.string() }),
      z.object({ format: z.literal('pem'), chain: z.string(), key: z.string(), certificate: z.string() }),
    ])
    .nullable(),
})
type Stored = z.infer<typeof fileSchema>

/** Certificates in memory: the draft's, and those that can't be stored. */
interface InMemory {
  authorities: readonly string[]
  client: ReadClient | null
}

const NONE: Stored = { authorities: [], client: null }

export interface IdentitiesOptions {
  keychain: Keychain
  /** Returns the path for the certificates of a connection. Its folder exists. */
  fileOf: (of: string) => string
  /** Milliseconds since 1970. */
  now: () => number
}

export function createIdentities({ keychain, fileOf, now }: IdentitiesOptions): Identities {
  const inMemory = new Map<string, InMemory>()
  const loaded = new Map<string, Promise<TlsIdentity | null>>()

  function stored(of: string): Stored {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(fileOf(of), 'utf8')))
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NONE
      throw new NeverSent('client-certificate', { cause: error })
    }
  }

  /** Returns what is stored, or nothing if the file is damaged, which it then replaces. */
  function storedOrNone(of: string): Stored {
    try {
      return stored(of)
    } catch {
      return NONE
    }
  }

  async function read(of: string): Promise<TlsIdentity | null> {
    const memory = inMemory.get(of)
    if (memory !== undefined) return { authorities: memory.authorities, client: memory.client?.client ?? null }
    if (of === DRAFT) return null
    const { authorities, client } = stored(of)
    if (client === null) return authorities.length === 0 ? null : { authorities, client }
    const found = await keychain.get(clientCertificateEntry(of))
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

  function keepInMemory(of: string, change: Partial<InMemory>): Result<SecretStorage> {
    const former = inMemory.get(of) ?? { authorities: storedOrNone(of).authorities, client: null }
    inMemory.set(of, { ...former, ...change })
    loaded.delete(of)
    return ok('run')
  }

  function save(of: string, change: Partial<Stored>): Result<SecretStorage> {
    const next = { ...storedOrNone(of), ...change }
    const written = next.client === null && next.authorities.length === 0 ? erase(fileOf(of)) : write(fileOf(of), next)
    if (!written.ok) return written
    inMemory.delete(of)
    loaded.delete(of)
    return ok('keychain')
  }

  async function setClient(of: string, chosen: ReadClient | null): Promise<Result<SecretStorage>> {
    if (of === DRAFT) return keepInMemory(of, { client: chosen })
    const entry = clientCertificateEntry(of)
    if (chosen === null) {
      const saved = save(of, { client: null })
      const gone = saved.ok && keychain.recorded(entry) ? await keychain.delete(entry) : saved
      return gone.ok ? saved : gone
    }
    const kept = await keychain.set(entry, chosen.client.passphrase)
    if (!kept.ok) return kept.error.code === 'keychain-missing' ? keepInMemory(of, { client: chosen }) : kept
    const { authorities = storedOrNone(of).authorities } = inMemory.get(of) ?? {}
    return save(of, { authorities: [...authorities], client: storedClient(chosen) })
  }

  return {
    load(of) {
      const known = loaded.get(of)
      if (known !== undefined) return known
      const loading = read(of)
      loaded.set(of, loading)
      // The keychain may answer later.
      loading.catch(() => loaded.get(of) === loading && loaded.delete(of))
      return loading
    },
    view(of) {
      const { authorities, client } = inMemory.get(of) ?? (of === DRAFT ? NONE : storedOrNone(of))
      return {
        client: client && describeCertificate(client.certificate, now()),
        authorities: authorities.flatMap((pem) => describeCertificate(pem, now()) ?? []),
      }
    },
    setClient,
    async setAuthorities(of, authorities) {
      const isInMemory = of === DRAFT || inMemory.has(of)
      return isInMemory ? keepInMemory(of, { authorities }) : save(of, { authorities: [...authorities] })
    },
    async adoptDraft(by, storage) {
      const draft = inMemory.get(DRAFT)
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
      inMemory.delete(DRAFT)
      loaded.delete(DRAFT)
      return ok(undefined)
    },
    forget(of) {
      inMemory.delete(of)
      loaded.delete(of)
    },
  }
}

function storedClient({ client, certificate }: ReadClient): Stored['client'] {
  return client.format === 'p12'
    ? { format: 'p12', content: Buffer.from(client.content).toString('base64'), certificate }
    : { format: 'pem', chain: client.chain, key: client.key, certificate }
}

/** Replaces a file that only its owner may read, atomically. Errors: `disk-full`, `storage`. */
function write(path: string, content: Stored): Result<void> {
  const part = `${path}.${randomUUID()}.part`
  try {
    const file = openSync(part, 'wx', 0o600)
    try {
      writeSync(file, JSON.stringify(content))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(part, path)
    return ok(undefined)
  } catch (error) {
    rmSync(part, { force: true })
    return fail(isDiskFull(error) ? 'disk-full' : 'storage')
  }
}

function erase(path: string): Result<void> {
  try {
    rmSync(path, { force: true })
    return ok(undefined)
  } catch {
    return fail('storage')
  }
}
