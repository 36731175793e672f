import { draft, must, type startConnection } from './rig.ts'

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
