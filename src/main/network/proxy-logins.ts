import { z } from 'zod'
import type { SecretStorage } from '../../shared/connection.ts'
import { readJson } from '../../shared/json.ts'
import { ok, type Result } from '../../shared/result.ts'
import { proxyLoginEntry } from '../secrets/entries.ts'
import type { Keychain } from '../secrets/keychain.ts'
import { Secret } from '../secrets/secret.ts'
import type { Proxy, RoutesTo } from '../service/proxy.ts'

const loginSchema = z.object({ name: z.string(), password: z.string() })
type Login = NonNullable<Proxy['login']>

export type ProxyLogins = ReturnType<typeof createProxyLogins>

/** Keeps the logins that the user has entered for proxies, in the keychain and in memory. */
export function createProxyLogins(keychain: Keychain) {
  /** Logins as JSON, by the name of their entry in the keychain. */
  const cached = new Map<string, Secret>()

  /** Returns the login for a proxy. Null if none was entered, or if the keychain does not return it. */
  async function loginFor({ host, port }: Proxy): Promise<Login | null> {
    const name = proxyLoginEntry(host, port)
    if (!cached.has(name) && keychain.isRecorded(name)) {
      const found = await keychain.getUnlessRefused(name)
      if (found.ok && found.value !== null && !cached.has(name)) cached.set(name, new Secret(found.value))
    }
    const stored = cached.get(name)
    return stored === undefined ? null : (loginSchema.safeParse(readJson(stored.reveal())).data ?? null)
  }

  return {
    /** Adds the stored logins to the routes. They take precedence over those of environment variables. */
    withLogins:
      (routesTo: RoutesTo): RoutesTo =>
      async (origin) =>
        Promise.all(
          (await routesTo(origin)).map(async (route) => {
            const login = 'host' in route ? await loginFor(route) : null
            return login === null ? route : { ...route, login }
          }),
        ),
    has(host: string, port: number): boolean {
      const name = proxyLoginEntry(host, port)
      return cached.has(name) || keychain.isRecorded(name)
    },
    /** Without a keychain, the login is kept until the app ends. Errors: `keychain-locked`, `keychain-timeout`. */
    async set(host: string, port: number, name: string, password: Secret): Promise<Result<SecretStorage>> {
      const entry = proxyLoginEntry(host, port)
      const login = new Secret(JSON.stringify({ name, password: password.reveal() }))
      const saved = await keychain.set(entry, login)
      if (!saved.ok && saved.error.code !== 'keychain-missing') return saved
      cached.set(entry, login)
      return ok(saved.ok ? 'keychain' : 'run')
    },
    /** Errors: `keychain-*` if the entry remains; it is then deleted later. */
    async remove(host: string, port: number): Promise<Result<void>> {
      const entry = proxyLoginEntry(host, port)
      cached.delete(entry)
      const removed = keychain.isRecorded(entry) ? await keychain.delete(entry) : ok(undefined)
      // A request may have cached the login again before the deletion.
      cached.delete(entry)
      return removed
    },
  }
}
