import { app } from 'electron'
import { release } from 'node:os'
import { compose } from './compose.ts'
import { createLogFile, readEarlierProblems } from './log/file.ts'
import { createJournal } from './log/log.ts'
import { restartOnCrash, startedAfterCrash } from './shell/crash.ts'
import { APP_ID } from './shell/app-id.ts'
import { endTamperedApp } from './shell/cannot-start.ts'
import { createLanguage } from './shell/language.ts'
import { hasOnlyListedNativeModules } from './shell/native-modules.ts'
import { registerScheme } from './shell/protocol.ts'
import { makePrivate } from './shell/private-folder.ts'
import { endSecondStart, claimFirstInstance } from './shell/second-start.ts'
import { openedWith, registerLinks } from './shell/opened-with.ts'
import { asksForDebugging } from './shell/security.ts'
import { createTrayPanelCheck } from './shell/tray-host.ts'

registerScheme()
// Windows shows notifications only of an app whose id is that of its start menu entry
// (https://github.com/electron/electron/issues/4053).
if (process.platform === 'win32') app.setAppUserModelId(APP_ID)

const language = createLanguage([app.commandLine.getSwitchValue('lang'), ...app.getPreferredSystemLanguages()])

if (asksForDebugging()) app.exit(1)
else if (app.isPackaged && !hasOnlyListedNativeModules(app.getAppPath())) void endTamperedApp()
// A second start only asks the first instance to show its window.
else if (claimFirstInstance()) start()
else void endSecondStart()

function start(): void {
  const logs = app.getPath('logs')
  for (const folder of [app.getPath('userData'), logs]) makePrivate(folder)
  const journal = createJournal(createLogFile(logs, { console: !app.isPackaged }), Date.now, () =>
    readEarlierProblems(logs),
  )
  restartOnCrash(journal.log)
  journal.log('started', { ...startDetails(), after: startedAfterCrash() ? 'crash' : 'person' })
  const opened = openedWith(process.argv)
  const panels = createTrayPanelCheck(process.platform, process.env)
  // Asked early, so that the tray icon needn't wait for the answer.
  void panels.ask()
  void app.whenReady().then(() => {
    registerLinks()
    return compose({ start: opened, panels, journal, language })
  })
}

function startDetails() {
  return {
    version: app.getVersion(),
    electron: process.versions.electron,
    node: process.versions.node,
    os: process.platform,
    release: release(),
    arch: process.arch,
  }
}
