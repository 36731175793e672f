/* eslint-disable @typescript-eslint/no-require-imports -- it is loaded by `-r`, before any module */
/**
 * Loaded into main before the app: opens its window again and again, and says what each way took. Nothing else drives the page: a
 * tool from outside keeps a hidden one drawn. SITEWARD_BENCH_OPEN has `{ pages, rounds, ways }`: the folder of the app's pages, of
 * which `index.html` is laid over; how often; and which ways, all of them without.
 */
const { app, BrowserWindow, Tray } = require('electron')
const { copyFileSync, writeFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout: wait } = require('node:timers/promises')

const { pages, rounds, ways: wanted } = JSON.parse(process.env.SITEWARD_BENCH_OPEN)
const say = (line) => writeSync(1, `siteward-bench ${line}\n`)

/** What nobody can be quicker than whose page comes from where the app's does: some words, without style or script. */
const row = '<div role="row"><div role="gridcell">example.org</div></div>'
const WORDS = `<!doctype html><title>Siteward</title><div role="grid">${row.repeat(20)}</div>`
/** The least page that shows a list: no framework, no style, one question to main. */
const BARE =
  '<!doctype html><title>Siteward</title><div role="grid"></div><script type="module" src="./bare.js"></script>'
const BARE_SCRIPT = `
  const { value } = await window.siteward.listWebsites({ per_page: 100, page: 1 })
  for (const { domain } of value.websites.slice(0, 30)) {
    const row = document.createElement('div')
    row.setAttribute('role', 'row')
    const cell = document.createElement('div')
    cell.setAttribute('role', 'gridcell')
    cell.textContent = domain
    row.append(cell)
    document.querySelector('[role=grid]').append(row)
  }
`
const LIST = `document.querySelectorAll('[role=grid] [role=row] [role=gridcell]').length >= 10`
/** Behind the next frame, which is painted by then. */
const AFTER_FRAME = 'requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))'

/** Resolves with the time, of the epoch, at which what is waited for has been painted. */
const painted = (contents, there) =>
  contents.executeJavaScript(`new Promise((resolve) => {
    const done = () => ${AFTER_FRAME}
    const seen = new MutationObserver(() => (${there}) && (seen.disconnect(), done()))
    if (${there}) done()
    else seen.observe(document, { childList: true, subtree: true })
  })`)
/** The same of what is there, from when its page is seen. */
const paintedOnceSeen = (contents) =>
  contents.executeJavaScript(`new Promise((resolve, reject) => {
    if (document.visibilityState !== 'hidden') reject(new Error('the page isn’t hidden'))
    if (!(${LIST})) reject(new Error('there is no list'))
    document.addEventListener('visibilitychange', () => ${AFTER_FRAME}, { once: true })
  })`)

const now = () => performance.timeOrigin + performance.now()
const opened = () => new Promise((resolve) => app.once('browser-window-created', (_event, window) => resolve(window)))
const until = async (there) => {
  while (!there()) await wait(5)
}
async function letGo() {
  for (const window of BrowserWindow.getAllWindows()) {
    const closed = new Promise((resolve) => window.once('closed', resolve))
    window.destroy()
    await closed
  }
  await wait(300)
}

async function openBlank() {
  await letGo()
  const begun = now()
  const window = new BrowserWindow({ width: 1180, height: 740, show: false, backgroundColor: '#f4f4f1' })
  window.once('ready-to-show', () => window.show())
  await window.loadURL('about:blank')
  return (await painted(window.webContents, 'true')) - begun
}

const openPage = (page) => async (tray) => {
  copyFileSync(join(pages, `${page}.html`), join(pages, 'index.html'))
  await letGo()
  const made = opened()
  const begun = now()
  tray.emit('click')
  const { webContents } = await made
  await new Promise((resolve) => webContents.once('dom-ready', resolve))
  return (await painted(webContents, LIST)) - begun
}

/** As it was put away a moment ago. */
async function openKept(tray) {
  await openPage('ours')(tray)
  const [window] = BrowserWindow.getAllWindows()
  await until(() => window.isVisible())
  // What it still had to do has been done.
  await wait(500)
  window.close()
  await until(() => !window.isVisible())
  await wait(500)
  const seen = paintedOnceSeen(window.webContents)
  // Its script has run before the click.
  await window.webContents.executeJavaScript('true')
  const begun = now()
  tray.emit('click')
  return (await seen) - begun
}

const ways = {
  blank: openBlank,
  kept: openKept,
  ours: openPage('ours'),
  words: openPage('words'),
  bare: openPage('bare'),
  still: openPage('still'),
}

/** The app's own page as it is, without what made it. */
async function writePages(tray) {
  copyFileSync(join(pages, 'index.html'), join(pages, 'ours.html'))
  writeFileSync(join(pages, 'words.html'), WORDS)
  writeFileSync(join(pages, 'bare.html'), BARE)
  writeFileSync(join(pages, 'bare.js'), BARE_SCRIPT)
  await openPage('ours')(tray)
  const [window] = BrowserWindow.getAllWindows()
  await wait(1000)
  const html = await window.webContents.executeJavaScript('document.documentElement.outerHTML')
  const still = html.replaceAll(/<script[^]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '')
  writeFileSync(join(pages, 'still.html'), `<!doctype html>${still}`)
}

async function measure(tray) {
  await writePages(tray)
  const all = Object.entries(ways).filter(([way]) => wanted?.includes(way) ?? true)
  const times = Object.fromEntries(all.map(([way]) => [way, []]))
  for (let round = -2; round < rounds; round++)
    for (const [way, open] of all) {
      const taken = await open(tray)
      if (round >= 0) times[way].push(taken)
    }
  return times
}

const { setContextMenu } = Tray.prototype
Tray.prototype.setContextMenu = function (menu) {
  setContextMenu.call(this, menu)
  Tray.prototype.setContextMenu = setContextMenu
  say('tray')
  // What the start still has to do isn't cut off.
  void wait(3000)
    .then(() => measure(this))
    .then(
      (times) => say(JSON.stringify({ times })),
      (error) => say(JSON.stringify({ failure: String(error) })),
    )
}
