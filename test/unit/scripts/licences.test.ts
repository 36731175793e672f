import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundledLicences, inOneText, licenceOf } from '../../../scripts/licences.mjs'
import { inProject } from '../../../scripts/setup/project.mjs'

test('an unknown or missing license stops the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'siteward-licence-'))
  try {
    const named = (license?: string): void =>
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'some', version: '1.0.0', license }))
    named('AGPL-3.0')
    expect(() => licenceOf(folder)).toThrow('some 1.0.0 has the license "AGPL-3.0"')
    named()
    expect(() => licenceOf(folder)).toThrow('some 1.0.0 has the license null')
    named('MIT')
    writeFileSync(join(folder, 'LICENCE.md'), 'as is\n')
    expect(licenceOf(folder)).toEqual({ name: 'some', version: '1.0.0', licence: 'MIT', text: 'as is' })
  } finally {
    rmSync(folder, { recursive: true })
  }
  const bundled = [{ name: 'other', version: '2.0.0', identifier: null, text: 'who knows' }]
  expect(() => bundledLicences(JSON.stringify(bundled))).toThrow('other 2.0.0')
})

test('a package that names no license but contains the MIT text has that license', () => {
  const text = readFileSync(inProject('LICENSE'), 'utf8').trim()
  const checkedText = (licenceText: string) =>
    bundledLicences(JSON.stringify([{ name: 'some', version: '1.0.0', identifier: null, text: licenceText }]))
  expect(checkedText(text)).toEqual([{ name: 'some', version: '1.0.0', licence: 'MIT', text }])
  expect(() => checkedText('MIT License\n\nAll rights reserved.')).toThrow('some 1.0.0')
})

test('lists each package once, sorted by name', () => {
  const component = (name: string) => ({ name, version: '1.0.0', licence: 'MIT', text: '' })
  const text = inOneText([component('b'), component('a'), component('b')])
  expect(text.match(/^\w+ 1\.0\.0 \(MIT\)$/gm)).toEqual(['a 1.0.0 (MIT)', 'b 1.0.0 (MIT)'])
})
