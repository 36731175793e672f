// @ts-check
/**
 * Loaded into main before the app (`-r`): delays the event `ready` until Playwright is attached. Otherwise the window may load
 * its page while Playwright attaches. Playwright then misses the page, and the launch never ends.
 *
 * Playwright's own loader does the same, but Playwright leaves it out if the executable is given. The loader would also switch
 * off what Chromium does on the network by itself, which tests have to see.
 */
import { app } from 'electron'

const ready = app.whenReady()
const emit = app.emit.bind(app)
/** @type {unknown[]} */
let held = []
let isReady = false
/** @type {() => void} */
let release = () => {}
const released = new Promise((resolve) => (release = () => resolve(undefined)))

app.isReady = () => isReady
app.whenReady = () => released.then(() => undefined)
app.emit = (/** @type {string} */ event, /** @type {unknown[]} */ ...args) => {
  if (event !== 'ready' || isReady) return emit(event, ...args)
  held = args
  return app.listenerCount('ready') > 0
}

// Playwright calls this function once it is attached.
Object.assign(globalThis, {
  __playwright_run: async () => {
    await ready
    isReady = true
    release()
    emit('ready', ...held)
  },
})
