import { expect, test } from 'vitest'
import { runMany } from './pool.ts'
import { disks } from './disk/disk.ts'
import { generate } from './generate.ts'
import { openBugs } from './open-bugs.ts'
import { seedOf } from './machine/random.ts'
import { formatReport, MAX_KEPT_FAILURES, noTotals } from './report.ts'
import { runSchedule } from './schedule.ts'
import { describeWorld } from './describe.ts'

/** A fixed seed, so that a new failure comes from a change of the code. */
const SEED = 20_261_121

/** Returns, as text, the failures that open-bugs.ts does not list, and the listed schedules that pass. */
const run = async (
  disk: 'memory' | 'sqlite',
  schedules: number,
  batch: number,
  { wide = false, accounts = 1 }: { wide?: boolean; accounts?: number } = {},
) => {
  const enough = ({ schedules: so }: { schedules: number }) => so >= schedules
  const totals = await runMany({ seed: SEED, disk, wide, accounts, batch, enough, totals: noTotals(), done: new Set() })
  // If there were more failures, the totals would lack some of them.
  expect(totals.failures.length).toBeLessThan(MAX_KEPT_FAILURES)
  const failed = new Set(totals.failures.map(({ seed }) => seed))
  const belonging = Array.from({ length: schedules }, (_, n) => seedOf(SEED, n)).filter((seed) => openBugs.has(seed))
  return [
    ...totals.failures.filter(({ seed }) => !openBugs.has(seed)).map(formatReport),
    ...belonging
      .filter((seed) => !failed.has(seed))
      .map((seed) => `schedule ${seed} passes: take it out of open-bugs.ts`),
  ].join('\n')
}

test('10,000 schedules in memory lose no edit, report no wrong outcome and leave no website wrong', async () => {
  expect(await run('memory', 10_000, 50)).toBe('')
})

test('200 schedules on SQLite lose no edit, report no wrong outcome and leave no website wrong', async () => {
  expect(await run('sqlite', 200, 10)).toBe('')
})

test('500 wide schedules with bulk edits, open forms and imports lose no edit, report no wrong outcome and leave no website wrong', async () => {
  expect(await run('memory', 500, 25, { wide: true })).toBe('')
})

test('200 schedules with three accounts in one process lose no edit, and nothing crosses from one account to another', async () => {
  expect(await run('memory', 200, 10, { accounts: 3 })).toBe('')
})

test('open-bugs.ts lists only schedules that these tests run', () => {
  const seeds = new Set(Array.from({ length: 10_000 }, (_, n) => seedOf(SEED, n)))
  expect([...openBugs.keys()].filter((seed) => !seeds.has(seed))).toEqual([])
})

test.each([
  [
    'the judge does not count a read as made before the write if its answer came after the write was sent, in the same millisecond',
    867_446_907,
  ],
  [
    'sends a write-only list in doubt again with later changes, although a read showed that the website changed',
    3_532_653_443,
  ],
  [
    'sends the user’s later value instead of the change in doubt before it if a read shows the value from before both',
    816_970_992,
  ],
  ['undoes a change in doubt that was applied, although another client changed the value in between', 3_859_343_850],
  ['changes nothing when the user types a write-only list again that is being sent', 1_873_441_958],
  ['the judge does not expect the app to tell an ignored value from the same value of another client', 1_385_715_357],
  ['the ledger keeps the time of an applied value that the user sets to another value and back', 1_156_648_282],
  ['the judge does not count a connection check as shown to the user', 1_713_255_326],
  ['the judge does not count a search for a late request as shown to the user', 2_084_582_799],
  ['the judge counts a connection check as shown after a search has settled the change', 1_629_394_901],
  ['the judge compares times in the seconds of the service’s clock', 2_286_025_286],
  ['the simulated service keeps its stored times when its clock is set', 3_458_058_201],
  ['the judge accepts a request that was sent before the user’s next edit and applied after it', 1_934_914_034],
  [
    'the judge does not count a read as shown to the user in the same second as our write whose answer had no record',
    3_997_740_471,
  ],
  ['reports what was applied of a change in doubt that a delete absorbed, after the delete was undone', 103_712_365],
  [
    'the judge counts a read of the list as shown to the user, even in the same second as a write in doubt',
    1_294_671_869,
  ],
  [
    'the judge counts a read after the first write of a website as shown, although the answer to the write had no record',
    2_271_448_422,
  ],
  [
    'the judge counts values that the user set before a delete as seen, with and without remote changes in between',
    1_186_317_869,
  ],
  [
    'the judge counts a value as ours if a write without a record in its answer carried it and another client set it',
    1_554_027_604,
  ],
  ['the judge accepts a question about a website of another client that was taken for ours', 1_547_895_724],
  ['does not report a discarded write-only list as sent with another field', 3_272_087_661],
])('a schedule that once failed passes: %s', async (_, seed) => {
  expect((await runSchedule(generate(seed, false, false), disks.memory)).findings).toEqual([])
})

/** Removes the keys, which each store makes in its own way. */
const withoutKeys = (story: string): string => story.replaceAll(/ \([0-9a-z-]+\)/g, '')

test('runs a schedule the same way in memory and on SQLite, request by request', async () => {
  for (let n = 0; n < 30; n++) {
    const schedule = generate(seedOf(SEED, 20_000 + n))
    const [memory, sqlite] = [
      await runSchedule(schedule, disks.memory, describeWorld),
      await runSchedule(schedule, disks.sqlite, describeWorld),
    ]
    expect(withoutKeys(sqlite.story), `schedule ${schedule.seed}`).toBe(withoutKeys(memory.story))
  }
})
