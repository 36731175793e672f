import { fail, ok, type Result } from '../../shared/result.ts'
import { Secret } from '../secrets/secret.ts'

/** The embedded sample service, started when it's first needed. */
export interface EmbeddedSample {
  /** Its port and its key are others at each start of the app. Errors: `storage`. */
  start(): Promise<Result<{ address: string; key: Secret }>>
  close(): Promise<void>
}

interface Running {
  address: string
  apiKey: string
  close(): Promise<void>
}

export function createEmbeddedSample(run: () => Promise<Running>): EmbeddedSample {
  let running: Promise<Running> | null = null
  return {
    async start() {
      running ??= run()
      try {
        const { address, apiKey } = await running
        return ok({ address, key: new Secret(apiKey) })
      } catch {
        // Its file can't be read; the next try may find that mended.
        running = null
        return fail('storage')
      }
    },
    async close() {
      const last = running
      running = null
      const service = await last?.catch(() => null)
      await service?.close()
    },
  }
}
