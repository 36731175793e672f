import { windows } from './api/windows.ts'
import type { Session } from './api/session.ts'
import { runtime } from './runtime.ts'
import type { PageRequest, Verdict } from './scheme/requests.ts'

/** Vite's server while developing: the one place on the network that a page may reach. */
export function developmentServer(): URL | null {
  const url = process.env['ELECTRON_RENDERER_URL']
  return url ? new URL(url) : null
}

/** Judges what a page asks for: the app's guards first, then what the host lets through. */
export function createJudge(session: Session): (request: PageRequest) => Promise<Verdict> {
  return async (request) => {
    const { url, method } = request
    const window = request.resourceType === 'Document' ? windowOf(request) : undefined
    if (window && !window.webContents.allowsNavigation(url, method)) return 'abort'
    if (await session.webRequest.cancels(url)) return 'block'
    if (mayLoad(url)) return 'continue'
    return window ? 'abort' : 'block'
  }
}

const windowOf = (request: PageRequest) => [...windows].find(({ webContents }) => webContents.judges(request))

function mayLoad(url: string): boolean {
  const { protocol, host } = new URL(url)
  if (!/^(https?|wss?|ftp):$/.test(protocol)) return true // app:, file:, data:, blob: …
  return runtime().schemeHandlers.has(protocol.slice(0, -1)) || host === developmentServer()?.host
}
