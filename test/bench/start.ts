import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { besideBundles, inProject } from '../../scripts/setup/project.mjs'
import { startSampleService, type SampleService } from '../../src/main/sample/service.ts'
import { buildBareApp, connectedData, start, type Desktop, type Running } from './desktop.ts'
import { inTurn, type Figure } from './measure.ts'
import { cpuTimeOf, memoryOf } from './processes.ts'

const BARE_WINDOW = 'a bare Electron app with a Svelte window that shows a static list of 30 rows'
const BARE_TRAY = 'a bare Electron app with a tray icon and no window'

export const startCold = (desktop: Desktop, quick: boolean): Promise<Figure> => startTimes(desktop, quick, 'cold')
export const startWarm = (desktop: Desktop, quick: boolean): Promise<Figure> => startTimes(desktop, quick, 'warm')

function startTimes(desktop: Desktop, quick: boolean, cache: 'cold' | 'warm'): Promise<Figure> {
  return withBoth(desktop, { websites: 1_000, hidden: false }, async ({ ours, bare }) => {
    const timed = (begin: () => Promise<Running>) => async () => {
      if (cache === 'cold') dropFromCache(desktop.folder)
      const { took, quit } = await begin()
      // Lets the app finish the work that it does after the list is painted, because the next start would have to do the rest.
      await wait(1000)
      await quit()
      return took
    }
    const times = await inTurn(timed(ours), timed(bare), { rounds: quick ? 3 : 15 })
    const what = `start with 1,000 websites until the list is painted, ${cache} cache`
    return { what, ...times, against: BARE_WINDOW, unit: 'ms', goal: { times: 1.25 } }
  })
}

/** Removes from the system's file cache all files that a start reads: those of Electron, of the apps and of their data. */
function dropFromCache(desktop: string): void {
  const packages = besideBundles.map((name) => inProject('node_modules', name))
  for (const folder of [
    dirname(presentRuntime().executable),
    inProject('out'),
    inProject('resources'),
    ...packages,
    desktop,
  ]) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { parentPath, name } of files)
      spawnSync('dd', [`if=${join(parentPath, name)}`, 'iflag=nocache', 'count=0', 'status=none'])
  }
}

export function show(desktop: Desktop, quick: boolean): Promise<Figure> {
  return withBoth(desktop, { websites: 1_000, hidden: false }, async ({ ours, bare }) => {
    const apps = [await ours(), await bare()] as const
    for (const { command } of apps) await command('hide')
    const timed = (app: Running) => async () => {
      const took = await app.command('show')
      await wait(300)
      await app.command('hide')
      await wait(300)
      return took
    }
    const times = await inTurn(timed(apps[0]), timed(apps[1]), { rounds: quick ? 5 : 40 })
    for (const { quit } of apps) await quit()
    const what = 'show the hidden window until its list is painted'
    return { what, ...times, against: BARE_WINDOW, unit: 'ms', goal: { times: 1.3 } }
  })
}

export function memoryInWindow(desktop: Desktop, quick: boolean): Promise<Figure> {
  return withBoth(desktop, { websites: 10_000, hidden: false }, async ({ ours, bare }) => {
    const memory = await inTurn(
      () => settledMemory(ours),
      () => settledMemory(bare),
      { rounds: quick ? 2 : 15, warm: 0 },
    )
    const what = 'memory with the window open, 10,000 websites'
    return { what, ...memory, against: BARE_WINDOW, unit: 'MB', goal: { times: 1.3 } }
  })
}

export function memoryInTray(desktop: Desktop, quick: boolean): Promise<Figure> {
  return withBoth(desktop, { websites: 10_000, hidden: true }, async ({ data, bare }) => {
    const released = async (): Promise<Running> => {
      const app = await start(desktop, { userData: data })
      await app.command('release')
      return app
    }
    const memory = await inTurn(
      () => settledMemory(released),
      () => settledMemory(bare),
      { rounds: quick ? 2 : 15, warm: 0 },
    )
    const what = 'memory in the tray with the window released, 10,000 websites'
    return { what, ...memory, against: BARE_TRAY, unit: 'MB', goal: { times: 1.15 } }
  })
}

export async function memoryOfAccounts(desktop: Desktop, quick: boolean): Promise<Figure> {
  const { services, close } = await startServices()
  const one = await connectedData(desktop, 'one-account', [services[0]], 1_000)
  const four = await connectedData(desktop, 'accounts', services, 1_000)
  const memory = await inTurn(
    () => settledMemory(() => start(desktop, { userData: four, hidden: true })),
    () => settledMemory(() => start(desktop, { userData: one, hidden: true })),
    { rounds: quick ? 2 : 15, warm: 0 },
  )
  await close()
  const what = 'memory in the tray with four accounts of 1,000 websites each'
  return { what, ...memory, against: 'Siteward with one of the accounts', unit: 'MB', goal: { more: 12 } }
}

async function startServices() {
  const begin = () => startSampleService({ websites: 1_000, rate: 1_000_000 })
  const services: [SampleService, ...SampleService[]] = [await begin(), await begin(), await begin(), await begin()]
  return { services, close: () => Promise.all(services.map((service) => service.close())) }
}

/**
 * Starts an app and returns the memory of its processes in MB, some seconds later. No other app may run, because memory that two
 * apps share would count only half for each.
 */
export async function settledMemory(begin: () => Promise<Running>): Promise<number> {
  const app = await begin()
  await wait(4000)
  await app.command('collect')
  await wait(1000)
  const memory = memoryOf(app.pid)
  await app.quit()
  return memory
}

/** Measures the CPU time in the tray with four accounts and no pending edits. All rounds run at the same time. */
export async function cpuInTray(desktop: Desktop, quick: boolean): Promise<Figure> {
  const { services, close } = await startServices()
  const data = await connectedData(desktop, 'four-accounts', services, 1_000)
  const bare = await buildBareApp(join(desktop.folder, 'bare'))
  const apps: { ours: Running[]; baseline: Running[] } = { ours: [], baseline: [] }
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const folder = (name: string) => join(desktop.folder, `${name}-${String(round)}`)
    cpSync(data, folder('four'), { recursive: true })
    apps.ours.push(await start(desktop, { userData: folder('four'), hidden: true }))
    apps.baseline.push(await start(desktop, { userData: folder('none'), app: bare, hidden: true }))
  }
  const cpuTimes = (of: Running[]) => of.map(({ pid }) => cpuTimeOf(pid))
  await wait(quick ? 15_000 : 60_000)
  const before = { ours: cpuTimes(apps.ours), baseline: cpuTimes(apps.baseline) }
  await wait(quick ? 15_000 : 300_000)
  const since = (which: keyof typeof apps) => cpuTimes(apps[which]).map((now, n) => now - (before[which][n] ?? 0))
  const times = { ours: since('ours'), baseline: since('baseline') }
  for (const { quit } of [...apps.ours, ...apps.baseline]) await quit()
  await close()
  const what = `CPU time of ${quick ? '15 seconds' : 'five minutes'} in the tray, four accounts`
  return { what, ...times, against: BARE_TRAY, unit: 'ms', goal: { more: 100 } }
}

interface Both {
  ours: () => Promise<Running>
  bare: () => Promise<Running>
  data: string
}

/** Prepares both apps for `use`. Siteward has already read its list once. */
async function withBoth(
  desktop: Desktop,
  { websites, hidden }: { websites: number; hidden: boolean },
  use: (both: Both) => Promise<Figure>,
): Promise<Figure> {
  const service = await startSampleService({ websites, rate: 1_000_000 })
  const name = `data-${String(performance.now())}`
  try {
    const data = await connectedData(desktop, name, [service], websites)
    const app = await buildBareApp(join(desktop.folder, 'bare'))
    const bareData = join(desktop.folder, `bare-${name}`)
    return await use({
      ours: () => start(desktop, { userData: data, hidden }),
      bare: () => start(desktop, { userData: bareData, app, hidden }),
      data,
    })
  } finally {
    await service.close()
  }
}
