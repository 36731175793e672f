import { draft, must, type startConnection } from './rig.ts'
import type { SimulatedService } from './simulated-service.ts'

type App = ReturnType<typeof startConnection>

/** The file of an export, as far as a test looks at it or changes it. */
export interface Exported {
  connection: Record<string, unknown>
  websites: Record<string, unknown>[]
  edits: Record<string, unknown>[]
}

export const exported = async (from: App) => must(await from.outbox.exportQueue())
export const parsed = async (from: App) => JSON.parse((await exported(from)).text) as Exported
export const imported = async (text: string, into: App) => must(await into.outbox.importQueue(text))

/** One edit of each kind, of websites that are there. */
export async function queueSome(app: App): Promise<void> {
  must(await app.outbox.create(draft('new.example', { exclude_ips: ['10.0.0.1'] })))
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  must(await app.outbox.delete(app.keyOf('two.example')))
}

/** A website whose delete was taken back after the create that was to follow it had been asked for: an update and a create. */
export async function keepAfterAll(
  app: App,
  service: SimulatedService,
  advance: (ms: number) => Promise<void>,
): Promise<void> {
  const one = app.keyOf('one.example')
  must(await app.outbox.update(one, { email: true }))
  must(await app.outbox.delete(one))
  must(await app.outbox.create(draft('one.example', { privacy: 0 })))
  Object.assign(service.records.get('1') ?? {}, { exclude_bots: false })
  await advance(120_000)
  await app.online(60_000)
  await app.offline()
  must(await app.outbox.resolve(app.edits().find(({ kind }) => kind === 'delete')?.id ?? '', { way: 'keep' }))
}
