import { z } from 'zod'
import {
  certificateUses,
  MAX_LOGIN,
  MAX_PASSPHRASE,
  networkEntrySchema,
  networkSettingsSchema,
  stepResultSchema,
} from '../shared/network.ts'
import { command, key, noValue } from './command.ts'

/** A connection's id, or `new` for the one that is being added. */
const connection = key
/** `savedForRun`: there is no keychain, so the setting is kept in memory until the app ends. */
const saved = z.enum(['saved', 'savedForRun'])
const proxy = z.object({ host: z.string().min(1).max(255), port: z.number().int().min(1).max(65_535) })

/** The commands about proxies and certificates (Settings > Network). */
export const networkCommands = {
  /** Returns the network settings of every saved connection, oldest first. */
  listNetwork: command(noValue, z.array(networkEntrySchema)),
  /** Returns the network settings of the connection being added, with the route to `address` if it is the last checked one. */
  getNewNetwork: command(z.object({ address: z.string().max(2048) }), networkSettingsSchema),
  /**
   * Asks for certificate files and stores what they contain. `passphrase`: the file needs one ({@link networkCommands.enterPassphrase}).
   * An error leaves everything unchanged: `no-certificate`, `no-private-key`, `key-mismatch`, `not-read`,
   * `certificate-too-large`.
   */
  chooseCertificate: command(
    z.object({ connection, use: z.enum(certificateUses) }),
    z.enum(['canceled', 'passphrase', ...saved.options]),
  ),
  /** Opens the client certificate that was chosen last, and stores it. `wrong-passphrase`: the user may try again. */
  enterPassphrase: command(z.object({ connection, passphrase: z.string().max(MAX_PASSPHRASE) }), saved),
  /** Removes the client certificate of a connection, or all of its additional authorities. */
  removeCertificate: command(z.object({ connection, use: z.enum(certificateUses) }), noValue),
  /** Stores the login of a proxy. It is sent to this proxy only. */
  setProxyLogin: command(
    proxy.extend({ name: z.string().min(1).max(MAX_LOGIN), password: z.string().max(MAX_LOGIN) }),
    saved,
  ),
  removeProxyLogin: command(proxy, noValue),
  /** Makes one read with the key of a connection, and returns the result of each step. */
  testConnection: command(z.object({ id: key }), z.array(stepResultSchema)),
} as const
