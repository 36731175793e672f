import { registerHooks } from 'node:module'

const ADDRESS = 'electron-host:electron'

declare global {
  var __electronHost: { electron: Record<string, unknown> } | undefined
}

/** Makes `electron` resolve to ours, for import and require alike, named and default imports. */
export function provideElectron(electron: Record<string, unknown>): void {
  globalThis.__electronHost = { electron }
  const names = Object.keys(electron).join(', ')
  const esm = `const { electron } = globalThis.__electronHost; export default electron; export const { ${names} } = electron`
  const commonJs = 'module.exports = globalThis.__electronHost.electron'
  registerHooks({
    resolve(specifier, context, next) {
      if (!/^electron(\/(main|common))?$/.test(specifier)) return next(specifier, context)
      const wantsEsm = context.conditions.includes('import')
      return { url: `${ADDRESS}.${wantsEsm ? 'mjs' : 'cjs'}`, shortCircuit: true }
    },
    load(url, context, next) {
      if (!url.startsWith(ADDRESS)) return next(url, context)
      const isEsm = url.endsWith('.mjs')
      return { format: isEsm ? 'module' : 'commonjs', source: isEsm ? esm : commonJs, shortCircuit: true }
    },
  })
}
