import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAutostart, xdgAutostart } from '../../../src/main/shell/autostart.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-autostart-'))
  file = join(folder, 'config', 'autostart', 'siteward.desktop')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the command of a desktop entry, parsed as a session does (Desktop Entry Specification, "The Exec key"). */
function commandOf(entry: string): string[] {
  const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? ''
  const text = line.replace(/\\([\\nrts])/g, (_, c: string) => ({ n: '\n', r: '\r', t: '\t', s: ' ' })[c] ?? c)
  return [...text.matchAll(/"((?:\\.|[^"\\])*)"/gs)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/gs, '$1').replaceAll('%%', '%'),
  )
}

test('adds and removes the entry with which the session starts the app', () => {
  const autostart = xdgAutostart(file, ['/opt/siteward', '--hidden'])
  expect(autostart.isOn()).toBe(false)
  expect(autostart.set(true).ok).toBe(true)
  expect(autostart.isOn()).toBe(true)
  const entry = readFileSync(file, 'utf8')
  expect(commandOf(entry)).toEqual(['/opt/siteward', '--hidden'])
  expect(entry).toMatch(/^TryExec=\/opt\/siteward$/m)
  expect(autostart.set(false).ok).toBe(true)
  expect(existsSync(file)).toBe(false)
  // Removing a missing entry is no error.
  expect(autostart.set(false).ok).toBe(true)
})

test.for(['/home/ada/My Apps/Siteward 1.0.AppImage', '/a/$HOME/`id`/"q"/\\n', '/100%/é/%f', "/it's/\ttab\nline"])(
  'writes the path %s so that the session reads it unchanged',
  (path) => {
    xdgAutostart(file, [path, '--hidden']).set(true)
    const entry = readFileSync(file, 'utf8')
    expect(commandOf(entry)).toEqual([path, '--hidden'])
    expect(entry.match(/^Exec=/gm)).toHaveLength(1)
  },
)

test('writes an entry from which GLib starts the program with its arguments', { timeout: 20_000 }, ({ skip }) => {
  try {
    execFileSync('gio', ['version'])
  } catch {
    skip('there is no GLib here')
  }
  const program = join(folder, 'odd $name "quoted".sh')
  writeFileSync(program, '#!/bin/sh\nprintf "%s" "$*" > "$(dirname "$0")/started"\n')
  chmodSync(program, 0o700)
  xdgAutostart(file, [program, '--hidden']).set(true)
  execFileSync('gio', ['launch', file])
  return expect
    .poll(() => existsSync(join(folder, 'started')) && readFileSync(join(folder, 'started'), 'utf8'))
    .toBe('--hidden')
})

test('reports an entry as off if the user switched it off in the desktop’s settings', () => {
  const autostart = xdgAutostart(file, ['/opt/siteward', '--hidden'])
  for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
    autostart.set(true)
    writeFileSync(file, readFileSync(file, 'utf8').replace('X-GNOME-Autostart-enabled=true', line))
    expect(autostart.isOn()).toBe(false)
    autostart.refresh()
    expect(autostart.isOn()).toBe(false)
  }
})

test('updates the path after the app has moved', () => {
  xdgAutostart(file, ['/old/Siteward.AppImage', '--hidden']).set(true)
  xdgAutostart(file, ['/new/Siteward.AppImage', '--hidden']).refresh()
  expect(commandOf(readFileSync(file, 'utf8'))[0]).toBe('/new/Siteward.AppImage')
})

test('keeps the user’s own lines of the entry', () => {
  xdgAutostart(file, ['/old/Siteward.AppImage', '--hidden']).set(true)
  const theirs = 'X-GNOME-Autostart-Delay=20\nOnlyShowIn=MATE;\n'
  writeFileSync(file, readFileSync(file, 'utf8') + theirs)
  const moved = xdgAutostart(file, ['/new/$1/Siteward.AppImage', '--hidden'])
  moved.refresh()
  const entry = readFileSync(file, 'utf8')
  expect(commandOf(entry)).toEqual(['/new/$1/Siteward.AppImage', '--hidden'])
  expect(entry).toMatch(/^TryExec=\/new\/\$1\/Siteward\.AppImage$/m)
  expect(entry.endsWith(theirs)).toBe(true)
  // An entry whose command the user has changed stays as it is.
  const otherwise = entry.replace('Exec="', 'Exec=env A=b "')
  writeFileSync(file, otherwise)
  moved.refresh()
  expect(readFileSync(file, 'utf8')).toBe(otherwise)
})

test('reports that the file can’t be written', () => {
  mkdirSync(join(folder, 'config'))
  writeFileSync(join(folder, 'config', 'autostart'), 'no folder')
  expect(xdgAutostart(file, ['/opt/siteward']).set(true)).toMatchObject({ ok: false, error: { code: 'storage' } })
})

/** Returns the login item of the app on macOS or Windows. `heeds`: false if the system ignores the request. */
function aSystem(platform: 'darwin' | 'win32', { isPackaged = true, heeds = true } = {}) {
  let [item, approved]: [{ openAtLogin: boolean; args: string[] } | null, boolean] = [null, heeds]
  const app = {
    isPackaged,
    getAppPath: () => '/src/siteward',
    getPath: () => '/',
    setLoginItemSettings({ openAtLogin = false, args = [] }: { openAtLogin?: boolean; args?: string[] }) {
      item = openAtLogin ? { openAtLogin, args } : null
    },
    getLoginItemSettings({ args = [] }: { args?: string[] } = {}) {
      const isRegistered = item !== null && (platform === 'darwin' || String(item.args) === String(args))
      return {
        openAtLogin: isRegistered && (platform === 'win32' || approved),
        executableWillLaunchAtLogin: isRegistered && approved,
        openAsHidden: false,
        wasOpenedAtLogin: false,
        wasOpenedAsHidden: false,
        restoreState: false,
        status: !isRegistered
          ? ('not-registered' as const)
          : approved
            ? ('enabled' as const)
            : ('requires-approval' as const),
        launchItems: [],
      }
    },
  }
  const autostart = createAutostart(app, platform, {})
  return { autostart, item: () => item, approve: (now: boolean) => void (approved = now) }
}

test.each([
  ['the AppImage that the app runs from', '/tmp/.mount_a/siteward', '/home/a/Siteward.AppImage'],
  ['its own binary, although another AppImage has started the app', '/opt/Siteward/siteward', '/opt/Siteward/siteward'],
])('on Linux the session starts %s', (_, program, started) => {
  const app = {
    isPackaged: true,
    getAppPath: () => '/',
    getPath: (name: string) => (name === 'exe' ? program : folder),
    setLoginItemSettings: () => expect.fail('Linux has none'),
    getLoginItemSettings: () => expect.fail('Linux has none'),
  }
  const env = { APPIMAGE: '/home/a/Siteward.AppImage', APPDIR: '/tmp/.mount_a' }
  createAutostart(app, 'linux', env).set(true)
  const entry = readFileSync(join(folder, 'autostart', 'siteward.desktop'), 'utf8')
  expect(commandOf(entry)).toEqual([started, '--hidden'])
})

test.for(['darwin', 'win32'] as const)('on %s sets, reads and removes the login item', (platform) => {
  const { autostart, item } = aSystem(platform)
  expect(autostart.isOn()).toBe(false)
  expect(autostart.set(true).ok).toBe(true)
  expect(item()).toEqual({ openAtLogin: true, args: ['--hidden'] })
  expect(autostart.isOn()).toBe(true)
  expect(autostart.set(false).ok).toBe(true)
  expect([autostart.isOn(), item()]).toEqual([false, null])
})

test.for(['darwin', 'win32'] as const)('on %s reports a change that the system doesn’t allow', (platform) => {
  const { autostart, item, approve } = aSystem(platform, { heeds: false })
  expect(autostart.set(true)).toMatchObject({ ok: false, error: { code: 'autostart-refused' } })
  expect(autostart.isOn()).toBe(false)
  // The item stays in the system's list, where the user can allow it.
  expect(item()).not.toBeNull()
  approve(true)
  expect(autostart.isOn()).toBe(true)
})

test('the login item of an unpackaged app starts Electron with the folder of the app', () => {
  const { autostart, item } = aSystem('win32', { isPackaged: false })
  expect(autostart.set(true).ok).toBe(true)
  expect(item()?.args).toEqual(['/src/siteward', '--hidden'])
})
