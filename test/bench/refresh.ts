import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createDispatcher } from '../../src/main/service/dispatcher.ts'
import { createService } from '../../src/main/service/client.ts'
import { must, openConnection, temporaryFolder } from './connection.ts'
import type { Bench, Figure } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'

const WEBSITES = 10_000
const PAGES = WEBSITES / 100
const BARS = new Map([
  [0, 1.5],
  [50, 1.05],
])

/** All websites are read anew, and saved (sync.md, "Reading"). */
export const refresh: Bench = {
  name: 'refresh',
  about:
    `${WEBSITES} websites are read again from a service in another process and saved, against as many bare requests with ` +
    'their JSON parsed, one after another; with so many milliseconds added to each answer.',
  async run({ quick }) {
    const host = fork(join(import.meta.dirname, 'service-process.ts'), [String(WEBSITES)], {
      execArgv: ['--no-warnings'],
    })
    const [{ address, apiKey }] = (await once(host, 'message')) as [{ address: string; apiKey: string }]
    const { folder, end } = temporaryFolder()
    const dispatcher = createDispatcher()
    let asked = 0
    const opened = await openConnection(folder, (key) => {
      const service = createService({ address, key, dispatcher })
      return { ...service, list: counted(service.list), listNext: counted(service.listNext) }
    })
    function counted<Q, A>(ask: (question: Q) => A): (question: Q) => A {
      return (question) => {
        asked += 1
        return ask(question)
      }
    }
    opened.connection.start()
    opened.connection.keyChanged()

    const figures: Figure[] = []
    for (const [delay, most] of BARS) {
      host.send({ delay })
      const times = await inTurn(
        {
          ours: {
            before: () => void (asked = 0),
            run: async () => must(await opened.connection.refresh.run()),
          },
          bare: { run: () => readBare(address, apiKey) },
        },
        { rounds: quick ? 2 : 12, warm: 1 },
      )
      figures.push({
        name: `refresh of ${WEBSITES} websites, ${delay} ms: bare requests`,
        ratio: ratio(times.ours, times.bare),
        bar: { most },
        of: `${times.ours.median.toFixed(0)} ms to ${times.bare.median.toFixed(0)} ms`,
      })
    }
    figures.push({ name: 'refresh: requests', ratio: asked / PAGES, bar: { most: 1 }, of: `${asked} to ${PAGES}` })
    await opened.connection.close()
    await dispatcher.destroy()
    host.disconnect()
    end()
    return figures
  },
}

async function readBare(address: string, apiKey: string): Promise<void> {
  for (let page = 1; page <= PAGES; page++) {
    const answer = await fetch(`${address}/api/v1/websites?per_page=100&page=${page}`, {
      headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
    })
    const { data } = JSON.parse(await answer.text()) as { data: unknown[] }
    if (data.length !== 100) throw new Error('a page isn’t whole')
  }
}
