import { afterEach, beforeEach } from 'vitest'
import { draft, must, startConnection } from './rig.ts'
import { app, clock, service, useApp, type App } from './rig-app.ts'

/** The same connection on another computer, with an empty file and no network. */
export let other: App

/** Starts two offline apps for each test: `app` has read three websites, and {@link other} none. */
export function useTwoApps(): void {
  useApp(() => {
    for (const domain of ['one.example', 'two.example', 'three.example']) service.add(domain, { email: false })
  })
  beforeEach(async () => {
    await app.offline()
    other = startConnection({ service, clock })
    await other.offline()
  })
  afterEach(() => other.close())
}

export interface Exported {
  connection: Record<string, unknown>
  websites: Record<string, unknown>[]
  edits: Record<string, unknown>[]
}

export const exported = async (from: App) => must(await from.outbox.exportQueue())
export const parsed = async (from: App) => JSON.parse((await exported(from)).text) as Exported
/** Imports an export into an app. Returns the counts and the refused edits. */
export const imported = async (text: string, into: App) => must(await into.outbox.importQueue(text))

/** Queues a create, an update and a delete of different websites. */
export async function queueSome(): Promise<void> {
  must(await app.outbox.create(draft('new.example', { exclude_ips: ['10.0.0.1'] })))
  must(await app.outbox.update(app.keyOf('one.example'), { email: true }))
  must(await app.outbox.delete(app.keyOf('two.example')))
}

/** Queues two edits of one domain: an update of a website that was deleted but kept after all, and a create. */
export async function keepAfterAll(): Promise<void> {
  const one = app.keyOf('one.example')
  must(await app.outbox.update(one, { email: true }))
  must(await app.outbox.delete(one))
  must(await app.outbox.create(draft('one.example', { privacy: 0 })))
  Object.assign(service.records.get('1') ?? {}, { exclude_bots: false })
  await clock.advance(120_000)
  await app.online(60_000)
  await app.offline()
  must(await app.outbox.resolve(app.edits().find(({ kind }) => kind === 'delete')?.id ?? '', { way: 'keep' }))
}
