import type { SitewardBridge } from '../preload/bridge.ts'

declare global {
  interface Window {
    readonly siteward?: SitewardBridge
  }
}

/** The only access of the window to main. App passes it to the screens, so that nothing else uses the global. */
export function bridge(): SitewardBridge {
  if (!window.siteward) throw new Error('The preload script has not run.')
  return window.siteward
}
