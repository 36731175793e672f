import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import config from '../../../electron-builder.config.mjs'
import { APP_ID } from '../../../src/main/shell/app-id.ts'
import { LINK_SCHEME } from '../../../src/main/shell/link.ts'
import { inProject } from '../../../scripts/setup/project.mjs'

/** Returns a template from which electron-builder makes the installers. */
const template = (...path: string[]): string =>
  readFileSync(inProject('node_modules', 'app-builder-lib', 'templates', ...path), 'utf8')

test('on Windows, removing the app keeps the data unless the user chooses otherwise in the uninstaller', () => {
  expect(config.nsis).toMatchObject({ deleteAppDataOnUninstall: false })
  expect(template('nsis', 'uninstaller.nsh')).toMatch(/GetOptions} \$R0 "--delete-app-data"/)
})

test('on Windows, the installer installs for the current user only', () => {
  expect(config.nsis).toMatchObject({ oneClick: true, perMachine: false })
  // The installer offers “for all users” only if `perMachine` is defined.
  expect(template('nsis', 'oneClick.nsh')).toMatch(
    /!macro initMultiUser\s+!ifdef INSTALL_MODE_PER_ALL_USERS\s+!insertmacro \w+AllUsers\s+!else\s+!insertmacro setInstallModePerUser/,
  )
})

test('on Windows, removing the app removes what it has registered, and nothing else', () => {
  const own = readFileSync(inProject('resources', 'uninstaller.nsh'), 'utf8')
  expect(config.nsis?.include).toBe('resources/uninstaller.nsh')
  expect(template('nsis', 'uninstaller.nsh')).toMatch(/!insertmacro customUnInstall\b/)
  expect(own).toMatch(/ifNot} \$\{isUpdated}/)
  // Electron registers a login item under the app id, and a link handler under the scheme.
  expect(own.match(/Delete.*/g)?.map((line) => line.replace('${APP_ID}', APP_ID))).toEqual([
    `DeleteRegValue HKCU "Software\\Microsoft\\Windows\\CurrentVersion\\Run" "${APP_ID}"`,
    `DeleteRegValue HKCU "Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\StartupApproved\\Run" "${APP_ID}"`,
    `DeleteRegKey HKCU "Software\\Classes\\${LINK_SCHEME}"`,
  ])
})

test('an AppImage keeps its name on an update, as the session starts it by that name', () => {
  expect(config.appImage?.artifactName).not.toMatch(/version/)
  // electron-updater keeps a file name without a version.
  const updater = readFileSync(inProject('node_modules', 'electron-updater', 'out', 'AppImageUpdater.js'), 'utf8')
  expect(updater).toContain(String.raw`!/\d+\.\d+\.\d+/.test(existingBaseName)`)
})

test('the AppImage’s launcher doesn’t turn off Chromium’s sandbox', () => {
  expect(config.appImage?.executableArgs).toEqual([])
})

test('removing a deb or rpm changes nothing in home directories', () => {
  for (const target of [config.deb, config.rpm]) {
    expect(target ?? {}).not.toHaveProperty('afterRemove')
    expect(target?.fpm?.join(' ') ?? '').not.toMatch(/remove|uninstall/)
  }
  expect(template('linux', 'after-remove.tpl')).not.toMatch(/~|HOME|\/home|\/root|\.config|userdel/)
})
