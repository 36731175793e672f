import { Secret } from '../secrets/secret.ts'

/** The embedded sample service, started when it's first needed. */
export interface EmbeddedSample {
  start(): Promise<{ address: string; key: Secret }>
  close(): Promise<void>
}

interface Running {
  address: string
  apiKey: string
  close(): Promise<void>
}

export function createEmbeddedSample(run: () => Promise<Running>): EmbeddedSample {
  let running: Promise<Running> | undefined
  return {
    async start() {
      running ??= run()
      const { address, apiKey } = await running
      return { address, key: new Secret(apiKey) }
    },
    async close() {
      await (await running)?.close()
      running = undefined
    },
  }
}
