import { versions } from '../versions.ts'
import { createBridge } from './bridge.ts'
import { createCodec } from './codec.ts'
import { HELLO, preparePage } from './page.ts'
import { runPreload, type PreloadSetting } from './preload.ts'

export const WORLD = 'Electron Isolated Context'
export const TO_NODE = '__electronHostToNode'
export const FROM_NODE = '__electronHostFromNode'

/** Functions are sent as their text: Node's type stripping leaves plain JavaScript of them. */
const text = (f: (...args: never[]) => unknown): string => `(${f.toString()})`

export const pageScript = (): string =>
  `${text(preparePage)}(${JSON.stringify(HELLO)}, ${text(createBridge)})\n//# sourceURL=electron-host/page.js`

/** `code` is the preload, a CommonJS module; `file` is what stack traces call it. */
export function preloadScript(code: string, file: string): string {
  const setting: PreloadSetting = {
    hello: HELLO,
    toNode: TO_NODE,
    fromNode: FROM_NODE,
    process: {
      type: 'renderer',
      platform: process.platform,
      arch: process.arch,
      versions,
      env: {},
      argv: [],
      contextIsolated: true,
      sandboxed: true,
    },
  }
  const preload = `(function (require, process, module, exports) {\n${code}\n})`
  const args = [JSON.stringify(setting), `${text(createCodec)}()`, text(createBridge), preload].join(', ')
  return `${text(runPreload)}(${args})\n//# sourceURL=electron-host/${file}`
}
