// @ts-check
/** Runs `electron [-r MODULE]… FOLDER [ARG…]`, like the default app of the official binary, which the fallback lacks. */
import { app } from 'electron'
import { readFileSync } from 'node:fs'
import Module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @param {readonly string[]} args */
const parse = (args) => {
  const modules = []
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? ''
    if (argument === '-r') modules.push(args[++at] ?? '')
    else if (!argument.startsWith('-')) return { modules, folder: resolve(argument) }
  }
  return { modules, folder: null }
}

/** @param {string} module */
const preload = async (module) => {
  // Node 20 can't require() an ES module.
  if (module.endsWith('.mjs')) await import(pathToFileURL(resolve(module)).href)
  else Reflect.get(Module, '_preloadModules')([module])
}

/** @param {string} folder */
const start = async (folder) => {
  Object.defineProperty(process, 'defaultApp', { enumerable: true, value: true })
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  app.name = described.productName ?? described.name
  Reflect.get(app, 'setVersion').call(app, described.version)
  Reflect.get(app, 'setDesktopName').call(app, described.desktopName ?? `${app.name}.desktop`)
  Reflect.get(app, 'setAppPath').call(app, folder)
  await import(pathToFileURL(join(folder, described.main)).href)
}

// As in Electron, the last window ends the app unless the app handles the event itself.
app.on('window-all-closed', () => {
  if (app.listenerCount('window-all-closed') === 1) app.quit()
})

const { modules, folder } = parse(process.argv.slice(1))
if (folder === null) {
  console.error('usage: electron [-r MODULE]… FOLDER [ARG…]')
  app.exit(2)
} else {
  for (const module of modules) await preload(module)
  await start(folder)
}
