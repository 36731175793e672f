import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { expect, test } from './support/app.ts'
import { fusesOf } from './support/electron-stand-in.ts'
import { addDriver, packThrowaway, startPackage, type Throwaway } from './support/throwaway.ts'

test.skip(process.platform !== 'linux', 'macOS and Windows sign what they pack')

let folder: string
let packed: Throwaway

test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = mkdtempSync(join(tmpdir(), 'siteward-throwaway-'))
  packed = packThrowaway(folder)
  await addDriver(packed)
})
test.afterAll(() => rmSync(folder, { recursive: true }))

test('a real Electron binary that is packed has the fuses of a release', () => {
  expect(fusesOf(packed.binary).slice(0, 8)).toBe('00001100')
})

test('a packaged app opens no DevTools', async ({ userData, keychain }) => {
  const running = await startPackage(packed, { userData, env: keychain })
  await running.page('document.readyState')
  expect(await running.main('electron.app.isPackaged')).toBe(true)
  const open = `(async () => {
    const { webContents } = electron.BrowserWindow.getAllWindows()[0]
    const opened = new Promise((resolve) => webContents.once('devtools-opened', () => resolve(true)))
    webContents.openDevTools({ mode: 'detach' })
    return Promise.race([opened, new Promise((resolve) => setTimeout(resolve, 2000, false))])
  })()`
  expect(await running.main(open)).toBe(false)
  await running.quit()
})

for (const option of [
  '--remote-debugging-port=0',
  '--remote-debugging-pipe',
  '--inspect=0',
  '--inspect-brk=0',
  '--inspect-port=0',
  '--js-flags=--expose-gc',
]) {
  test(`a packaged app does not start with ${option}`, ({ userData, keychain }) => {
    const { status, stderr } = spawnSync(
      packed.binary,
      [...presentRuntime().args, `--user-data-dir=${userData}`, option],
      { env: { ...process.env, ...keychain }, encoding: 'utf8', timeout: 20_000 },
    )
    expect(status).toBe(1)
    expect(stderr).not.toContain('DevTools listening')
  })
}

test('a packaged app does not start with a native module that was changed', async ({ userData, keychain }) => {
  const outside = join(packed.folder, 'resources', 'app.asar.unpacked')
  const names = readdirSync(outside, { recursive: true, encoding: 'utf8' })
  const module = join(outside, names.find((name) => name.endsWith('keytar.node')) ?? '')
  const before = readFileSync(module)
  appendFileSync(module, '\0')
  const running = spawn(packed.binary, [...presentRuntime().args, `--user-data-dir=${userData}`], {
    env: { ...process.env, ...keychain },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(running, 'exit')
  let output = ''
  running.stderr.on('data', (chunk) => (output += String(chunk)))
  try {
    await expect.poll(() => output, { timeout: 30_000 }).toContain('program files were changed')
    expect(existsSync(join(userData, 'siteward.db'))).toBe(false)
  } finally {
    // The app would show its error message until the user closes it.
    running.kill('SIGKILL')
    await ended
    writeFileSync(module, before)
  }
})

test('a packaged app is no Node, and reads no NODE_OPTIONS', ({ keychain }) => {
  const env = { ...process.env, ...keychain, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nonexistent.js' }
  // Without the fuses, Node itself would handle `-p`: it would print the text, or end because of the missing module.
  const { stdout, stderr } = spawnSync(packed.binary, ['-p', '"as-node"'], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  })
  expect(stdout).not.toContain('as-node')
  expect(stderr).not.toContain('/nonexistent.js')
})

test('a packaged app keeps its data and logs from other users, and takes back what they could read', async ({
  keychain,
}) => {
  const userData = join(folder, 'data')
  mkdirSync(join(userData, 'logs'), { recursive: true })
  writeFileSync(join(userData, 'logs', 'earlier.log'), 'from a version that left it readable')
  execFileSync('chmod', ['-R', 'a+rX', folder])
  const running = await startPackage(packed, { userData, env: keychain })
  await running.page('siteward.trySample()')
  await running.quit()
  expect(statSync(userData).mode & 0o777).toBe(0o700)
  expect(statSync(join(userData, 'connections')).mode & 0o777).toBe(0o700)
  expect(statSync(join(userData, 'logs', 'earlier.log')).mode & 0o777).toBe(0o600)
  const files = readdirSync(userData, { recursive: true, encoding: 'utf8' }).filter((name) =>
    lstatSync(join(userData, name)).isFile(),
  )
  expect(files).toEqual(expect.arrayContaining(['siteward.db', 'sample.jsonl']))
  // Only root can become another user of this computer.
  if (process.getuid?.() !== 0) return
  for (const name of files) {
    const { status } = spawnSync('cat', [join(userData, name)], { uid: 65_534, gid: 65_534, cwd: '/' })
    expect(status, name).not.toBe(0)
  }
})
