import { z } from 'zod'
import { errorCodeSchema } from './result.ts'
import { networkRouteSchema } from './state.ts'

/** What the window shows of a certificate. `subject` and `issuer` come from a file, so they are untrusted. */
const certificateSummarySchema = z.object({
  /** The common name or the organization, otherwise the whole name. */
  subject: z.string(),
  issuer: z.string(),
  /** When the certificate expires, in milliseconds since 1970. */
  until: z.number(),
  expired: z.boolean(),
})
export type CertificateSummary = z.infer<typeof certificateSummarySchema>

/** `client`: the certificate proves who the client is. `authority`: the certificate is trusted as an authority. */
export const certificateUses = ['client', 'authority'] as const
export type CertificateUse = (typeof certificateUses)[number]

/** The network settings of a connection. */
export const networkSettingsSchema = z.object({
  /** The route to the service, as the system's settings say. Null if the address is unknown. */
  route: networkRouteSchema.nullable(),
  client: certificateSummarySchema.nullable(),
  authorities: z.array(certificateSummarySchema),
})
export type NetworkSettings = z.infer<typeof networkSettingsSchema>

/** The network settings of a connection, with its name and address. */
export const networkEntrySchema = networkSettingsSchema.extend({
  id: z.string(),
  name: z.string(),
  address: z.string(),
})
export type NetworkEntry = z.infer<typeof networkEntrySchema>

/** In characters. */
export const MAX_PASSPHRASE = 1000
/** The longest name or password of a login at a proxy, in characters (RFC 1929). */
export const MAX_LOGIN = 255

/** The steps of connecting to the service, in their order. */
export const connectionSteps = [
  'lookup',
  'proxy',
  'proxyLogin',
  'connect',
  'tls',
  'clientCertificate',
  'service',
  'key',
] as const
export type ConnectionStep = (typeof connectionSteps)[number]

/**
 * The result of one step. `unneeded`: this connection has no such step. `unknown`: not reached, because an earlier step
 * failed, or not checked. `code`: the reason for `bad` or `unknown`, if there is one.
 */
export const stepResultSchema = z.object({
  step: z.enum(connectionSteps),
  found: z.enum(['good', 'bad', 'unneeded', 'unknown']),
  code: errorCodeSchema.nullable(),
})
export type StepResult = z.infer<typeof stepResultSchema>
