// @ts-check
import { installVirtualGlobals } from './virtual-globals.mjs'

/** Each as its guide has it, and as careful as its guide lets it be. Imported only once the clock is the virtual one. */
/** @type {Record<string, () => Promise<import('./peer.mjs').MakePeer>>} */
export const peers = {
  siteward: async () => (await import('./adapters/siteward.mjs')).siteward,
  workbox: async () => (await import('./adapters/workbox.mjs')).workbox,
  'workbox, tuned': async () => (await import('./adapters/workbox.mjs')).workboxTuned,
  'redux-offline': async () => (await import('./adapters/redux-offline.mjs')).reduxOffline,
  'redux-offline, tuned': async () => (await import('./adapters/redux-offline.mjs')).reduxOfflineTuned,
  query: async () => (await import('./adapters/query.mjs')).query,
  'query, tuned': async () => (await import('./adapters/query.mjs')).queryTuned,
  transactions: async () => (await import('./adapters/transactions.mjs')).transactions,
  'transactions, tuned': async () => (await import('./adapters/transactions.mjs')).transactionsTuned,
}

/** To be called before any of them is imported. */
export function quiet() {
  // What a library prints of its own would stand between the lines.
  console.log = console.info = console.warn = console.error = () => undefined
  // A browser, too, only logs what a library leaves unhandled.
  process.on('unhandledRejection', () => undefined)
  installVirtualGlobals()
}
