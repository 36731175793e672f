import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { keysOf, must } from './connection.ts'
import { bareCommit, ROW } from './enqueue.ts'
import type { Bench } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'
import { startServed, type Served } from './served.ts'

/** All of them are told by one page. */
const WEBSITES = 100
const SENT = 50

/** What is queued goes out, one request after the other (sync.md, "Life of an edit"). */
export const send: Bench = {
  name: 'send',
  about:
    `${String(SENT)} changes of as many websites that were just read are sent over loopback to a service in another process. ` +
    'Against as many bare requests of the same bytes, one after another, each between the two commits that the promise ' +
    'needs: that it is being sent is on disk before it leaves, and what came of it after. Fetch keeps its connection; each of ' +
    'ours has one of its own, so that none is lost with an old one: what that takes of it, bare, is shown beside.',
  async run({ quick }) {
    const served = await startServed(WEBSITES)
    const { connection, pause } = served
    must(await connection.refresh.run())
    const keys = keysOf(served, WEBSITES)
    const ids = keys.map((key) => connection.view.get(key)?.id ?? '')
    const commit = bareCommit(served.folder)
    const isOn = (round: number): boolean => round % 2 === 0
    async function writeAll(round: number, ask: Ask): Promise<void> {
      for (const id of ids.slice(SENT)) {
        commit.write(ROW)
        const { data } = JSON.parse(await ask(served, id, `email=${isOn(round) ? '1' : '0'}`)) as {
          data: { email: number }
        }
        if (data.email !== Number(isOn(round))) throw new Error('it wasn’t written')
        commit.write(ROW)
      }
    }
    const times = await inTurn(
      {
        ours: {
          async before(round) {
            pause.set(true)
            must(await connection.refresh.run())
            for (const key of keys.slice(0, SENT)) must(await connection.outbox.update(key, { email: isOn(round) }))
            served.asked()
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
        bare: { run: (round) => writeAll(round, fetchBare) },
        apart: { run: (round) => writeAll(round, askApart) },
      },
      { rounds: quick ? 6 : 60, warm: quick ? 2 : 10 },
    )
    commit.end()
    await served.end()
    const each = (name: keyof typeof times) => `${(times[name].median / SENT).toFixed(2)} ms`
    return [
      {
        name: 'send, a request on loopback: a bare one and two commits',
        ratio: ratio(times.ours, times.bare),
        bar: { most: 1.3 },
        of: `${each('ours')} to ${each('bare')}`,
      },
      {
        name: 'send, a request on loopback: a bare one over a connection of its own, and two commits',
        ratio: ratio(times.ours, times.apart),
        bar: null,
        of: `${each('ours')} to ${each('apart')}`,
      },
    ]
  },
}

/** Resolves with the answer's text. */
type Ask = (served: Served, id: string, body: string) => Promise<string>

const headersOf = ({ apiKey }: Served) => ({
  Accept: 'application/json',
  Authorization: `Bearer ${apiKey}`,
  'Content-Type': 'application/x-www-form-urlencoded',
})

const fetchBare: Ask = async (served, id, body) => {
  const url = `${served.address}/api/v1/websites/${id}`
  return (await fetch(url, { method: 'PUT', headers: headersOf(served), body })).text()
}

/** Over a connection of its own. */
const askApart: Ask = (served, id, body) =>
  new Promise((resolve, reject) => {
    const options = { method: 'PUT', headers: headersOf(served), agent: false } as const
    const asked = request(
      `${served.address}/api/v1/websites/${id}`,
      options,
      (answer) => void text(answer).then(resolve),
    )
    asked.once('error', reject).end(body)
  })
