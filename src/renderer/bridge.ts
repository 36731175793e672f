import type { SitewardBridge } from '../preload/bridge.ts'

declare global {
  interface Window {
    readonly siteward?: SitewardBridge
  }
}

/** The one way out of this window. It's handed to the screens by App, so that nothing else reaches for a global. */
export function bridge(): SitewardBridge {
  if (!window.siteward) throw new Error('The preload script has not run.')
  return window.siteward
}
