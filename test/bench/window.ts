import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { ElectronApplication, Page } from 'playwright'
import { launchApp, quitApp } from '../../scripts/launch.mjs'
import { root } from '../../scripts/setup/project.mjs'
import { createSampleListener } from '../../src/main/sample/listener.ts'
import { createSampleStore, type SampleStore } from '../../src/main/sample/store.ts'
import type { SitewardBridge } from '../../src/preload/bridge.ts'
import type { Shown } from './bare-window/shown.ts'
import { connect, withDesktop, type Desktop } from './desktop.ts'

/** A running app. Its window shows the list of a service that runs in this process. */
export interface Window {
  app: ElectronApplication
  page: Page
  /** The folder of the app, a copy into which a benchmark may write. */
  copy: string
  userData: string
  /** All websites, in the order of the list. */
  websites: Shown['websites']
  service: Service
  /** Quits the app, which otherwise quits when the benchmark ends. Idempotent. */
  quit: () => Promise<void>
}

/** Runs a copy of the built app, connected to a service with `count` websites. */
export function withWindow<T>(count: number, use: (window: Window, desktop: Desktop) => Promise<T>): Promise<T> {
  return withDesktop(async (desktop) => {
    const { folder, env } = desktop
    const service = await startService(createSampleStore({ websites: count }))
    const [copy, userData] = [join(folder, 'app'), join(folder, 'data')]
    for (const part of ['out', 'resources', 'package.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const { app, page } = await launchApp({ userData, env, folder: copy })
    let quitting: Promise<void> | undefined
    const quit = () => (quitting ??= quitApp(app))
    try {
      await connect(page, service, count)
      const websites = await listOf(page, count)
      return await use({ app, page, copy, userData, websites, service, quit }, desktop)
    } finally {
      await quit()
      service.close()
    }
  })
}

type Service = Awaited<ReturnType<typeof startService>>

/** Starts a service whose rate limit is too high to slow the app down. */
export async function startService(store: SampleStore) {
  const apiKey = 'bench'
  const listener = createSampleListener(store, { key: apiKey, rate: 1_000_000 })
  let delay = 0
  const server = createServer((request, response) => {
    if (delay === 0) listener(request, response)
    else setTimeout(() => listener(request, response), delay)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    apiKey,
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    setDelay(ms: number) {
      delay = ms
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const listOf = (page: Page, count: number): Promise<Shown['websites']> =>
  page.evaluate(async (all) => {
    const { siteward } = window as never as { siteward: SitewardBridge }
    const websites = []
    for (let at = 1; websites.length < all; at++) {
      const answer = await siteward.listWebsites({ per_page: 100, page: at, sort_by: 'id', sort: 'desc' })
      if (!answer.ok) throw new Error(answer.error.code)
      websites.push(...answer.value.websites)
    }
    return websites
  }, count)
