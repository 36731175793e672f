import { AppImageUpdater } from 'electron-updater'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type RequestOptions, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failureCode } from '../../../src/main/updates/failure.ts'
import { restrictUpdater } from '../../../src/main/updates/strict.ts'

// Makes electron-updater use Node's HTTP instead of Electron's.
const own = createRequire(createRequire(import.meta.url).resolve('electron-updater'))
const runtime = own('builder-util-runtime') as typeof import('builder-util-runtime')
class OverNode extends runtime.HttpExecutor<ReturnType<typeof request>> {
  createRequest(options: RequestOptions, callback: (response: unknown) => void) {
    return request(options, callback)
  }
  download(url: URL, destination: string, options: import('builder-util-runtime').DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const requestOptions: RequestOptions = { headers: options.headers ?? {} }
      runtime.configureRequestUrl(url, requestOptions)
      const callback = (error?: Error | null): void => (error == null ? resolve(destination) : reject(error))
      this.doDownload(requestOptions, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }
}

const image = Buffer.from('#!/bin/sh\nexit 0\n')
const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('base64')

let folder: string
let server: Server
let feed: string
/** The installation ids in the requests. */
let numbers: Set<unknown>
let updater: AppImageUpdater

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-update-'))
  numbers = new Set()
  server = createServer(({ url, headers }, response) => {
    numbers.add(headers['x-user-staging-id'])
    response.end(url?.includes('.yml') ? feed : image)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const config = join(folder, 'app-update.yml')
  const { port } = server.address() as AddressInfo
  writeFileSync(config, `provider: generic\nurl: http://127.0.0.1:${port}/\nupdaterCacheDirName: fetched\n`)
  process.env['APPIMAGE'] = join(folder, 'Siteward.AppImage')
  writeFileSync(process.env['APPIMAGE'], 'this version')
  const app = { version: '0.2.0', name: 'Siteward', isPackaged: true, appUpdateConfigPath: config }
  const nothing = (): void => undefined
  updater = new AppImageUpdater(null, {
    ...{ ...app, userDataPath: folder, baseCachePath: folder },
    ...{ whenReady: () => Promise.resolve(), quit: nothing, relaunch: nothing, onQuit: nothing },
  })
  Object.assign(updater, { httpExecutor: new OverNode() })
  restrictUpdater(updater)
  updater.autoInstallOnAppQuit = false
})
afterEach(() => {
  delete process.env['APPIMAGE']
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

/** Sets the version that the feed offers, and its checksum. Null: without a checksum. */
const tells = (version: string, sum: string | null): void => {
  const named = `url: a.AppImage\n    size: ${image.length}`
  feed = `version: ${version}\nfiles:\n  - ${named}\n${sum === null ? '' : `    sha512: ${sum}\n`}path: a.AppImage\n`
}
const installed = (): string => readFileSync(join(folder, 'Siteward.AppImage'), 'utf8')

test.each(['0.1.9', '0.2.0'])('%s is not offered, as it is not newer', async (version) => {
  tells(version, sha512(image))
  expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: false })
})

test.each([
  ['another checksum', sha512(Buffer.from('another'))],
  ['no checksum', null],
])('a download with %s is deleted and reported as unverified', async (_what, sum) => {
  tells('0.3.0', sum)
  expect(await updater.checkForUpdates()).toMatchObject({ isUpdateAvailable: true })
  const thrown: unknown = await (async () => updater.downloadUpdate())().catch((error: unknown) => error)
  expect(failureCode(thrown)).toBe('update-unverified')
  expect(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('a.AppImage')),
  ).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'a valid version is downloaded and installed only on request, with an id that all installations share',
  async () => {
    tells('0.3.0', sha512(image))
    await updater.checkForUpdates()
    expect(readdirSync(folder)).not.toContain('fetched')
    await updater.downloadUpdate()
    expect(installed()).toBe('this version')
    updater.install(true, false)
    expect(installed()).toBe(image.toString())
    expect([...numbers]).toEqual(['00000000-0000-0000-0000-000000000000'])
  },
)
