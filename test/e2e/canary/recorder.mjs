// @ts-check
/**
 * Loaded into the main process before the app (`-r`). Records everything that main sends over the bridge, the secrets that main
 * receives, and the files that the app writes. Answers file dialogs instead of the user.
 */
import { app, dialog, ipcMain } from 'electron'
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env['SITEWARD_E2E_RECORD'] ?? ''

/**
 * @param {'outward' | 'typed' | 'chosen'} part
 * @param {unknown} value
 */
const keep = (part, value) => {
  mkdirSync(join(folder, part), { recursive: true })
  appendFileSync(join(folder, part, `main-${String(process.pid)}`), `${JSON.stringify(value)}\n`)
}

// The display of the tests has no GPU. Without these switches, each start first tries ways to draw with one.
if (process.platform === 'linux') {
  app.disableHardwareAcceleration()
  app.commandLine.appendSwitch('disable-software-rasterizer')
}

const SECRETS = ['apiKey', 'password', 'passphrase']

/**
 * @param {unknown} request
 * @param {number} [levels] the depth of the search: no request of the contract has more levels, and a hostile one may be endless
 */
const keepSecrets = (request, levels = 8) => {
  if (typeof request !== 'object' || request === null || levels === 0) return
  for (const [name, value] of Object.entries(request)) {
    if (SECRETS.includes(name) && typeof value === 'string') keep('typed', [name, value])
    else keepSecrets(value, levels - 1)
  }
}

const handle = ipcMain.handle.bind(ipcMain)
ipcMain.handle = (channel, handler) =>
  handle(channel, async (event, ...args) => {
    for (const request of args) keepSecrets(request)
    try {
      const answer = await handler(event, ...args)
      keep('outward', [channel, answer])
      return answer
    } catch (error) {
      keep('outward', [channel, String(error), error instanceof Error && error.stack])
      throw error
    }
  })

/** @type {{ filePath?: string, filePaths?: string[] }[]} what a test chooses in the next file dialogs (support/dialogs.ts) */
const choices = []
Object.assign(globalThis, { choices })

dialog.showSaveDialog = async () => {
  const { filePath = '' } = choices.shift() ?? {}
  if (filePath !== '') keep('chosen', filePath)
  return { canceled: filePath === '', filePath }
}
dialog.showOpenDialog = async () => {
  const { filePaths = [] } = choices.shift() ?? {}
  return { canceled: filePaths.length === 0, filePaths }
}

app.on('web-contents-created', (_event, contents) => {
  const send = contents.send.bind(contents)
  contents.send = (channel, ...args) => {
    keep('outward', [channel, ...args])
    send(channel, ...args)
  }
})
