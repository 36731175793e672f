import { must } from './connection.ts'
import type { Bench, Figure } from './figure.ts'
import { inTurn, ratio } from './in-turn.ts'
import { startServed } from './served.ts'

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
    const served = await startServed(WEBSITES)
    const { address, apiKey, connection } = served
    let asked = 0
    const figures: Figure[] = []
    for (const [delay, most] of BARS) {
      served.delay(delay)
      const times = await inTurn(
        {
          ours: {
            before: () => void served.asked(),
            async run() {
              must(await connection.refresh.run())
              asked = served.asked().pages
            },
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
    figures.push({
      name: 'refresh: requests',
      ratio: asked / PAGES,
      bar: { most: 1 },
      of: `${asked} to ${PAGES}`,
    })
    await served.end()
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
