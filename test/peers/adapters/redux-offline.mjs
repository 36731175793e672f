// @ts-check
import { createRequire } from 'node:module'
import { isJson, isRefusal, requestOf } from '../request.mjs'

const require = createRequire(import.meta.url)
const { offline } = require('@redux-offline/redux-offline')
const { default: defaults } = require('@redux-offline/redux-offline/lib/defaults')
const { createStore, compose } = require('redux')
const { persistStore } = require('redux-persist')

/**
 * As its README has it: `offline(offlineConfig)` around the store, actions with `meta.offline`, and its own effect, retry
 * (ten tries) and discard (4xx, and whatever isn't an answer: so a connection that breaks is given up).
 *
 * @type {import('../peer.mjs').MakePeer}
 */
export const reduxOffline = (world) => start(world, { ...defaults })

/**
 * What its README offers to change. `effect`: an answer that isn't the service's own yes is an error. `discard`: only a
 * refusal. `retry`: as long as it takes, up to five minutes apart. The state is written at each change, not by and by.
 *
 * @type {import('../peer.mjs').MakePeer}
 */
export const reduxOfflineTuned = (world) =>
  start(world, {
    ...defaults,
    effect: async (/** @type {any} */ { url, ...options }) => {
      const response = await world.fetch(url, options)
      if (response.ok && (response.status === 204 || isJson(response))) return response.text()
      throw Object.assign(new Error('not done'), { status: response.status })
    },
    discard: (/** @type {any} */ error) => isRefusal(error.status),
    retry: (/** @type {any} */ _action, /** @type {number} */ retries) => Math.min(300_000, 1_000 * 2 ** retries),
    // Its debounce is zero by default, yet it writes one key each turn; a key each is all there is.
    persistOptions: { debounce: 0 },
  })

/** @param {import('../peer.mjs').PeerWorld} world @param {any} config @returns {Promise<import('../peer.mjs').Peer>} */
async function start(world, config) {
  // Its default effect asks through the global one.
  Object.assign(globalThis, { fetch: world.fetch })
  /** @type {(told: { online: boolean }) => void} */
  let tellNetwork = () => undefined
  const enhancer = offline({
    ...config,
    persist: (/** @type {any} */ store, /** @type {any} */ options, /** @type {any} */ done) =>
      persistStore(store, { storage: asCallbacks(world.storage), ...options }, done),
    detectNetwork(/** @type {any} */ tell) {
      tellNetwork = tell
      tell({ online: world.isOnline() })
    },
  })
  const reducer = (/** @type {any} */ state = { seen: 0 }, /** @type {any} */ action) => {
    if (action.type === 'DONE') world.told(action.meta.edit, 'done')
    if (action.type === 'FAILED') world.told(action.meta.edit, 'failed')
    return state
  }
  /** @type {any} */
  const store = createStore(reducer, compose(enhancer))
  // What was kept is there once it has been read; an app waits for that with its first screen.
  await world.time.sleep(100)

  return {
    async enqueue(edit) {
      const { url, ...options } = requestOf(edit, world.idOf)
      store.dispatch({
        type: 'EDIT',
        meta: {
          edit: edit.id,
          offline: {
            effect: { url, ...options },
            commit: { type: 'DONE', meta: { edit: edit.id } },
            rollback: { type: 'FAILED', meta: { edit: edit.id } },
          },
        },
      })
    },
    held: () => Promise.resolve(store.getState().offline.outbox.map((/** @type {any} */ { meta }) => meta.edit)),
    network: (online) => tellNetwork({ online }),
  }
}

/** What redux-persist 4 asks of a storage. @param {import('../peer.mjs').PeerWorld['storage']} storage */
const asCallbacks = (storage) => ({
  getItem: (/** @type {string} */ key, /** @type {any} */ done) =>
    storage.getItem(key).then((value) => done(null, value)),
  setItem: (/** @type {string} */ key, /** @type {string} */ value, /** @type {any} */ done) =>
    storage.setItem(key, value).then(() => done(null)),
  removeItem: (/** @type {string} */ key, /** @type {any} */ done) => storage.removeItem(key).then(() => done(null)),
  getAllKeys: (/** @type {any} */ done) => storage.getAllKeys().then((keys) => done(null, keys)),
})
