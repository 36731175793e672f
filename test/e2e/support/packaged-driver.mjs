// @ts-check
/** Starts the packaged app of a test, and evaluates the JSON objects that the test writes to stdin, one per line. */
import * as electron from 'electron'
import { createInterface } from 'node:readline'

const { app, BrowserWindow, session } = electron

app.on('ready', () => {
  // The certificate of the tests' feed is not trusted otherwise.
  session.fromPartition('electron-updater', { cache: false }).setCertificateVerifyProc((_request, answer) => answer(0))
})

/** @param {{ where: string, expression: string }} request */
const evaluate = async ({ where, expression }) => {
  if (where === 'main') return Function('electron', `return (${expression})`)(electron)
  for (;;) {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents && !contents.isLoading()) return contents.executeJavaScript(expression)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line)
  evaluate(request).then(
    (value) => console.log(`ANSWER ${JSON.stringify({ id: request.id, value })}`),
    (error) => console.log(`ANSWER ${JSON.stringify({ id: request.id, error: String(error) })}`),
  )
})

await import(new URL('out/main/index.js', import.meta.url).href)
