import { recordHistory } from '../../src/main/outbox/history.ts'
import { ok } from '../../src/shared/result.ts'
import { keysOf, must } from './connection.ts'
import { bareCommit, ROW } from './enqueue.ts'
import type { Bench } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'
import { askByFetch, askOnward, byLibraries, type Ask } from './least.ts'
import { startServed, type Served } from './served.ts'

/** All of them are told by one page. */
const WEBSITES = 100
/** Ours has so many of its own, and so has the floor. */
const SENT = 50

/** What is queued goes out, one request after the other (sync.md, "Life of an edit"). */
export const send: Bench = {
  name: 'send',
  about:
    `${String(SENT)} changes of as many websites that were just read are sent over loopback to a service in another process. ` +
    'Against as many bare requests of the same bytes, one after another, each between two commits of one row: that it is ' +
    'being sent is on disk before it leaves, and what came of it after. The floors are the same changes in the app’s own file, with ' +
    'none of our script around: read, noted as being sent, sent over the connection of the one before it, and out of the ' +
    'queue with the answer in the list and in the history. Nothing is decided, merged, checked or told. Once by Node’s ' +
    'plain HTTP; once by the libraries that the app stands on.',
  async run({ quick }) {
    const served = await startServed(WEBSITES)
    const { connection, pause } = served
    must(await connection.refresh.run())
    const keys = keysOf(served, WEBSITES)
    const [ours, others] = [keys.slice(0, SENT), keys.slice(SENT)]
    const ids = others.map((key) => connection.view.get(key)?.id ?? '')
    const commit = bareCommit(served.folder)
    async function writeBare(form: string): Promise<void> {
      for (const id of ids) {
        commit.write(ROW)
        const { data } = JSON.parse(await askByFetch(served, putOf(id, form))) as Answer
        if (`email=${String(data.email)}` !== form) throw new Error('it wasn’t written')
        commit.write(ROW)
      }
    }
    async function queue(which: string[], email: boolean): Promise<void> {
      pause.set(true)
      for (const key of which) must(await connection.outbox.update(key, { email }))
      served.asked()
    }
    /** The others, as they were left: the list is read for ours alone, and once, as a look is taken at all that was. */
    function know(email: boolean): void {
      const { store } = served
      const website = (key: string) => must(store.read(() => ok(store.website(key))))
      for (const key of others) {
        const { record } = website(key) ?? {}
        if (record) must(store.write(() => ok(store.acknowledge(key, { ...record, email }))))
      }
    }
    // The same websites, by each who isn't ours: each finds them other than it's to leave them.
    let email = false
    const toggled = (): boolean => (email = !email)
    const formOf = (): string => `email=${email ? '1' : '0'}`
    const least = (ask: Ask) => ({
      before() {
        know(email)
        return queue(others, toggled())
      },
      run: () => writeLeast(served, others, formOf(), ask),
    })
    // As they came, some are already as the first is to leave them, and nothing would be queued.
    await writeBare(formOf())
    const times = await inTurn(
      {
        ours: {
          async before(round) {
            must(await connection.refresh.run())
            await queue(ours, round % 2 === 0)
          },
          async run(round) {
            pause.set(false)
            await connection.outbox.atRest()
            const { pages, writes } = served.asked()
            const { waiting } = connection.outbox.counts()
            // At first some are as they're to be.
            if (round > 0 && (writes !== SENT || pages !== 0 || waiting !== 0))
              throw new Error(`${String(writes)} writes, ${String(pages)} reads, ${String(waiting)} still waiting`)
          },
        },
        bare: { before: () => void toggled(), run: () => writeBare(formOf()) },
        least: least(askOnward),
        libraries: least(byLibraries(askOnward)),
      },
      { rounds: quick ? 30 : 60, warm: quick ? 8 : 10 },
    )
    commit.end()
    await served.end()
    const each = (name: keyof typeof times) => `${(times[name].median / SENT).toFixed(2)} ms`
    const figure = (name: string, one: keyof typeof times, other: keyof typeof times, most?: number) => ({
      name: `send, ${name}`,
      ratio: ratio(times[one], times[other]),
      bar: most === undefined ? null : { most },
      of: `${each(one)} to ${each(other)}`,
    })
    return [
      figure('a request on loopback: a bare one and two commits', 'ours', 'bare', 1.3),
      figure('the floor: what the least in the app’s own file takes of a bare one and two commits', 'least', 'bare'),
      figure('the floor: the same by the libraries that the app stands on', 'libraries', 'bare'),
      figure('a request on loopback: that by the libraries', 'ours', 'libraries'),
    ]
  },
}

interface Answer {
  data: { email: number; updated_at: string }
}

const putOf = (id: string, body: string) => ({ method: 'PUT', path: `/api/v1/websites/${id}`, body }) as const

/** What nobody who keeps the promise can leave out, in the tables that there are. */
async function writeLeast(served: Served, keys: readonly string[], form: string, ask: Ask): Promise<void> {
  const { store } = served
  for (const key of keys) {
    const { edit, website } = must(store.read(() => ok({ edit: store.editsOf(key)[0], website: store.website(key) })))
    if (edit === undefined || website?.record == null) throw new Error('it isn’t queued')
    const sent = { before: 'present', date: null, accepted: false, doubted: false } as const
    const sending = { ...edit, standing: { state: 'sending' } as const, attempts: 1, sent }
    must(store.write(() => ok(store.saveEdit(sending))))
    const { data } = JSON.parse(await ask(served, putOf(website.record.id, form))) as Answer
    const record = { ...website.record, email: data.email === 1, updated_at: data.updated_at }
    must(
      store.write(() => {
        recordHistory(store, sending, 'sent', { at: Date.now() })
        store.acknowledge(key, record)
        return ok(store.removeEdit(edit.id))
      }),
    )
  }
}
