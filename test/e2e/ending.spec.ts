import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { presentRuntime } from '../../scripts/runtime.mjs'
import { root } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { hold, startFaultyService } from './support/faulty.ts'
import { connect, connectForm, saveWebsite } from './support/screens.ts'
import { isWindowVisible } from './support/tray.ts'

test.describe('a signal', () => {
  test.skip(process.platform === 'win32', 'Windows has no signals')

  // The signals of a logout, of Ctrl+C and of a closed terminal.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`${signal} quits the app properly, and the next start works`, async ({ launch, userData }) => {
      const first = await launch()
      await connectForm(first.page)
      const main = first.app.process()
      const ended = once(main, 'exit')
      main.kill(signal)
      await ended
      expect(main.exitCode).toBe(0)
      // An app that quits properly removes this file.
      expect(existsSync(join(userData, 'siteward.db-journal'))).toBe(false)

      const second = await launch()
      await connectForm(second.page)
      await expect(second.page.getByText(/quit unexpectedly/)).not.toBeVisible()
      await expect.poll(() => isWindowVisible(second.app)).toBe(true)
    })
  }
})

test('while the app quits, the window shows the account and not the form for a new one', async ({ launch }) => {
  const service = await startFaultyService(1)
  try {
    const { app, page } = await launch()
    await connect(page, service)
    // The quit waits a second for this request.
    const held = hold(service, 'POST')
    service.fault = held
    await saveWebsite(page, 'held.example')
    await expect.poll(() => held.held).toBe(1)
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.evaluate(() => {
      const look = () => document.querySelector('[role=grid]') ?? console.log('the list is gone')
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    })
    const closed = app.waitForEvent('close')
    await app.evaluate((electron) => electron.app.quit())
    await closed
    expect(messages).not.toContain('the list is gone')
  } finally {
    service.close()
  }
})

/** Prints dialogs to stdout, because a test can't close them, and lets ten seconds pass in one. */
const stub = `const { dialog } = require('electron')
dialog.showErrorBox = (title, body) => console.log(title + '\\n' + body)
const now = Date.now
const start = now()
Date.now = () => start + 10 * (now() - start)`

test('a second start fails with a message if the first instance doesn’t react to it', async ({
  siteward: { app, page },
  userData,
  keychain,
}) => {
  await connectForm(page)
  await app.evaluate((electron) => void electron.app.removeAllListeners('second-instance'))
  const file = join(userData, 'stub.cjs')
  writeFileSync(file, stub)
  const { executable, args } = presentRuntime()
  const second = spawn(executable, [...args, '-r', file, root, `--user-data-dir=${userData}`], {
    env: { ...process.env, ...keychain },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [shown, errors] = await Promise.all([text(second.stdout), text(second.stderr), once(second, 'exit')])
  expect(second.exitCode).toBe(1)
  expect(shown).toContain('Siteward is already running, but isn’t responding\nForce Siteward')
  expect(errors).toContain('Siteward is already running, but isn’t responding')
  expect(readdirSync(userData).filter((name) => name.startsWith('second-start'))).toEqual([])
})
