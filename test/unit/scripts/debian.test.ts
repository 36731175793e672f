import { describe, expect, it } from 'vitest'
import { installedNames, instructions, missingPackages, privilege } from '../../../scripts/setup/debian.mjs'

/** The Debian packages that the tests need. */
const all =
  'libsecret-1-0 gnome-keyring dbus libsecret-tools chromium openbox xdotool iproute2 x11-utils xvfb xauth fonts-dejavu-core git openssl'.split(
    ' ',
  )

describe('the list of missing Debian packages', () => {
  it('counts a package as installed only if dpkg says so', () => {
    const names = installedNames('dbus\tii \t\nxvfb\trc \t\nchromium\tun \t\n')
    expect([...names].filter((name) => all.includes(name))).toEqual(['dbus'])
  })

  it('counts a name as installed if another package provides it', () => {
    expect(installedNames('libgtk-3-0t64\tii \tlibgtk-3-0 (= 3.24.49-3), gtk3-im\n')).toContain('libgtk-3-0')
  })

  it('is empty if no package is missing', () => {
    expect(missingPackages(['run', 'test'], new Set(all))).toEqual({ required: [], optional: [] })
  })

  it('contains everything that the tests need on a bare machine', () => {
    expect(missingPackages(['test'], new Set()).required.sort()).toEqual([...all].sort())
  })

  it('contains only the packages that are not installed', () => {
    const installed = new Set(all.filter((name) => name !== 'xvfb'))
    expect(missingPackages(['test'], installed).required).toEqual(['xvfb'])
  })

  it('requires no keychain for a start or a build', () => {
    const { required, optional } = missingPackages(['run', 'build'], new Set(['dbus']))
    expect({ required, optional }).toEqual({ required: [], optional: ['libsecret-1-0', 'gnome-keyring'] })
  })

  it('contains the libraries that Electron needs for windows and notifications', () => {
    expect(missingPackages(['electron'], new Set()).required).toEqual(
      expect.arrayContaining(['libgtk-3-0', 'libnss3', 'libnotify4', 'xvfb']),
    )
  })

  it('requires a keychain for the tests, although it is optional for a start', () => {
    expect(missingPackages(['run', 'test'], new Set(all.slice(1)))).toEqual({
      required: ['libsecret-1-0'],
      optional: [],
    })
  })

  it('contains no browser if the environment names one', () => {
    const installed = new Set(all.filter((name) => name !== 'chromium'))
    expect(missingPackages(['test'], installed, { CHROMIUM: '/opt/chromium' }).required).toEqual([])
    expect(missingPackages(['test'], installed, {}).required).toEqual(['chromium'])
  })

  it('gives one command that installs the missing packages', () => {
    expect(instructions(['xvfb', 'dbus'])).toBe(
      'sudo apt-get update && sudo apt-get install -y --no-install-recommends xvfb dbus',
    )
  })
})

describe('who may install', () => {
  const person = { uid: 1000, apt: true, sudo: 'none', terminal: true } as const

  it.each([
    ['root installs as it is', { ...person, uid: 0 }, []],
    ['a person whose sudo needs no password is not asked', { ...person, sudo: 'free' as const }, ['sudo', '-n']],
    ['a person at a terminal is asked by sudo', { ...person, sudo: 'asks' as const }, ['sudo']],
    ['nobody is asked without a terminal', { ...person, sudo: 'asks' as const, terminal: false }, null],
    ['without sudo nothing is tried', person, null],
    ['without apt nothing is tried, even by root', { ...person, uid: 0, apt: false }, null],
  ])('%s', (_, machine, expected) => {
    expect(privilege(machine)).toEqual(expected)
  })
})
