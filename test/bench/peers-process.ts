/** Measures the libraries of test/peers in a process of its own, for they change what is global. Tells its figures. */
import { temporaryFolder } from './connection.ts'
import { bareAppend, openQueue, ROW } from './enqueue.ts'
import type { Figure } from './figure.ts'
import { inTurn, median, ratio, type Timed } from './in-turn.ts'
import { openPeer, peersWith } from './peer-queue.ts'

const quick = process.argv[2] === 'quick'
const LEVELS = quick ? [0, 1000] : [0, 1000, 5000, 10_000]
const ROUNDS = quick ? 5 : 30
const WARM = quick ? 3 : 10
/** Ours is to be ahead of every one of them here. */
const AHEAD_AT = 5000

async function measure(folder: string, queued: number): Promise<Figure[]> {
  const ours = await openQueue(folder, { queued, spare: ROUNDS + WARM })
  const append = bareAppend(folder)
  const names = peersWith(queued)
  const peers = new Map<string, Awaited<ReturnType<typeof openPeer>>>()
  for (const name of names) peers.set(name, await openPeer(name, folder, queued))
  const own = new Map(names.map((name) => [name, [] as number[]]))
  const ways = Object.fromEntries(
    [...peers].map(([name, peer]) => [name, { run: async () => void own.get(name)?.push(await peer.write()) }]),
  )
  const timed = await inTurn(
    { ours: { run: ours.write }, append: { run: () => append.write(ROW) }, ...ways },
    { rounds: ROUNDS, warm: WARM },
  )
  append.end()
  await ours.end()
  for (const peer of peers.values()) peer.end()

  return names.flatMap((name) => {
    // What a library does after the edit is on disk isn't in it.
    const rounds = (own.get(name) ?? []).slice(WARM)
    const peer: Timed = { rounds, median: median(rounds) }
    const inMs = (one: Timed, other: Timed) => `${one.median.toFixed(2)} ms to ${other.median.toFixed(2)} ms`
    return [
      {
        name: `enqueue, ${String(queued)} queued: ${name}, to ours`,
        ratio: ratio(peer, timed.ours),
        bar: queued === AHEAD_AT ? { least: 1 } : null,
        of: inMs(peer, timed.ours),
      },
      {
        name: `enqueue, ${String(queued)} queued: ${name}, to an append`,
        ratio: ratio(peer, timed.append),
        bar: null,
        of: inMs(peer, timed.append),
      },
    ]
  })
}

const { folder, end } = temporaryFolder()
const figures: Figure[] = []
try {
  for (const queued of LEVELS) figures.push(...(await measure(folder, queued)))
} finally {
  end()
}
process.send?.(figures, () => process.exit())
