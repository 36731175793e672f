import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import config from '../../../electron-builder.config.mjs'
import { inProject } from '../../../scripts/setup/project.mjs'

const template = (...path: string[]): string =>
  readFileSync(inProject('node_modules', 'app-builder-lib', 'templates', ...path), 'utf8')

test('on Windows removing the app leaves the data, unless its uninstaller is asked for them', () => {
  expect(config.nsis).toMatchObject({ deleteAppDataOnUninstall: false })
  expect(config.nsis).not.toHaveProperty('include')
  expect(template('nsis', 'uninstaller.nsh')).toMatch(/GetOptions} \$R0 "--delete-app-data"/)
})

test('what a deb or an rpm does when it’s removed reaches into nobody’s home', () => {
  for (const target of [config.deb, config.rpm]) {
    expect(target ?? {}).not.toHaveProperty('afterRemove')
    expect(target ?? {}).not.toHaveProperty('fpm')
  }
  expect(template('linux', 'after-remove.tpl')).not.toMatch(/~|HOME|\/home|\/root|\.config|userdel/)
})
