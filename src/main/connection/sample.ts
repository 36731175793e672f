import { fail, ok, type Result } from '../../shared/result.ts'
import { Secret } from '../secrets/secret.ts'

/** The sample service inside the app, which starts on first use. */
export interface EmbeddedSampleService {
  /** The address and the key change with each start of the app. Errors: `storage`. */
  start(): Promise<Result<{ address: string; key: Secret }>>
  close(): Promise<void>
  /** Closes the service and deletes its data. Errors: `storage`. */
  erase(): Promise<Result<void>>
}

interface RunningSampleService {
  address: string
  apiKey: string
  close(): Promise<void>
}

export function createEmbeddedSample(
  run: () => Promise<RunningSampleService>,
  eraseData: () => Result<void>,
): EmbeddedSampleService {
  let running: Promise<RunningSampleService> | null = null

  async function close(): Promise<void> {
    const last = running
    running = null
    const service = await last?.catch(() => null)
    await service?.close()
  }

  return {
    async start() {
      running ??= run()
      try {
        const { address, apiKey } = await running
        return ok({ address, key: new Secret(apiKey) })
      } catch {
        // The sample file couldn't be read. The next call tries again.
        running = null
        return fail('storage')
      }
    },
    close,
    async erase() {
      await close()
      return eraseData()
    },
  }
}
