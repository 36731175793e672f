import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { xdgAutostart } from '../../../src/main/shell/autostart.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'siteward-autostart-'))
  file = join(folder, 'config', 'autostart', 'siteward.desktop')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The command as a session reads it (Desktop Entry Specification, "The Exec key"). */
function commandOf(entry: string): string[] {
  const line = /^Exec=(.*)$/m.exec(entry)?.[1] ?? ''
  const text = line.replace(/\\([\\nrts])/g, (_, c: string) => ({ n: '\n', r: '\r', t: '\t', s: ' ' })[c] ?? c)
  return [...text.matchAll(/"((?:\\.|[^"\\])*)"/gs)].map(([, quoted = '']) =>
    quoted.replace(/\\(.)/gs, '$1').replaceAll('%%', '%'),
  )
}

test('switched on, the session finds the command; switched off, nothing', () => {
  const autostart = xdgAutostart(file, ['/opt/siteward', '--hidden'])
  expect(autostart.isOn()).toBe(false)
  expect(autostart.set(true).ok).toBe(true)
  expect(autostart.isOn()).toBe(true)
  const entry = readFileSync(file, 'utf8')
  expect(commandOf(entry)).toEqual(['/opt/siteward', '--hidden'])
  // Nor is it missed where the app was removed.
  expect(entry).toMatch(/^TryExec=\/opt\/siteward$/m)
  expect(autostart.set(false).ok).toBe(true)
  expect(existsSync(file)).toBe(false)
  expect(autostart.set(false).ok).toBe(true)
})

test.for(['/home/ada/My Apps/Siteward 1.0.AppImage', '/a/$HOME/`id`/"q"/\\n', '/100%/é/%f', "/it's/\ttab\nline"])(
  'the path %s comes through as it is',
  (path) => {
    xdgAutostart(file, [path, '--hidden']).set(true)
    const entry = readFileSync(file, 'utf8')
    expect(commandOf(entry)).toEqual([path, '--hidden'])
    expect(entry.match(/^Exec=/gm)).toHaveLength(1)
  },
)

test(
  'GLib reads the file as a session does, and starts the program with the arguments',
  { timeout: 20_000 },
  ({ skip }) => {
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
  },
)

test('what the person switched off in the desktop’s own settings is off', () => {
  const autostart = xdgAutostart(file, ['/opt/siteward', '--hidden'])
  for (const line of ['Hidden=true', 'X-GNOME-Autostart-enabled=false']) {
    autostart.set(true)
    writeFileSync(file, readFileSync(file, 'utf8').replace('X-GNOME-Autostart-enabled=true', line))
    expect(autostart.isOn()).toBe(false)
    autostart.refresh()
    expect(autostart.isOn()).toBe(false)
  }
})

test('an app that has moved is found again', () => {
  xdgAutostart(file, ['/old/Siteward.AppImage', '--hidden']).set(true)
  xdgAutostart(file, ['/new/Siteward.AppImage', '--hidden']).refresh()
  expect(commandOf(readFileSync(file, 'utf8'))[0]).toBe('/new/Siteward.AppImage')
})

test('where the file can’t be written that is said', () => {
  mkdirSync(join(folder, 'config'))
  writeFileSync(join(folder, 'config', 'autostart'), 'no folder')
  expect(xdgAutostart(file, ['/opt/siteward']).set(true)).toMatchObject({ ok: false, error: { code: 'storage' } })
})
