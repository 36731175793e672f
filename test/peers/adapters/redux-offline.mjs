import { createRequire } from 'node:module'
import { isJson, isRefusal, requestOf } from '../request.mjs'

const require = createRequire(import.meta.url)
const { offline } = require('@redux-offline/redux-offline')
const { default: defaults } = require('@redux-offline/redux-offline/lib/defaults')
const { createStore, compose } = require('redux')
const { persistStore } = require('redux-persist')

/**
 * Uses the library as its README describes: `offline(offlineConfig)` around the store, actions with `meta.offline`, and the
 * library's own effect, retry and discard. It tries ten times. It discards an action on a 4xx and on any error that is not an
 * answer, so it gives up when a connection breaks.
 */
export const reduxOffline = (world) => start(world, { ...defaults })

/**
 * Uses the options that its README offers. `effect`: every response except a success of the service is an error. `discard`: drops
 * an action only if the service refuses it. `retry`: tries without end, at most five minutes apart. The state is written at each
 * change, without a delay.
 */
export const reduxOfflineTuned = (world) =>
  start(world, {
    ...defaults,
    effect: async ({ url, ...options }) => {
      const response = await world.fetch(url, options)
      if (response.ok && (response.status === 204 || isJson(response))) return response.text()
      throw Object.assign(new Error('not done'), { status: response.status })
    },
    discard: (error) => isRefusal(error.status),
    retry: (_action, retries) => Math.min(300_000, 1_000 * 2 ** retries),
    // 0 is the default. Even so, the library writes only one key in each turn of the event loop, and has no faster way.
    persistOptions: { debounce: 0 },
  })

async function start(world, config) {
  // The library's default effect sends requests through the global `fetch`.
  Object.assign(globalThis, { fetch: world.fetch })
  let tellNetwork = () => undefined
  const enhancer = offline({
    ...config,
    persist: (store, options, done) => persistStore(store, { storage: asCallbacks(world.storage), ...options }, done),
    detectNetwork(tell) {
      tellNetwork = tell
      tell({ online: world.isOnline() })
    },
  })
  const reducer = (state = { seen: 0 }, action) => {
    if (action.type === 'DONE') world.report(action.meta.edit, 'done')
    if (action.type === 'FAILED') world.report(action.meta.edit, 'failed')
    return state
  }
  const store = createStore(reducer, compose(enhancer))
  // An app shows its first screen once the stored state has been read.
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
    held: () => Promise.resolve(store.getState().offline.outbox.map(({ meta }) => meta.edit)),
    network: (online) => tellNetwork({ online }),
  }
}

/** The interface that redux-persist 4 requires of a storage. */
const asCallbacks = (storage) => ({
  getItem: (key, done) => storage.getItem(key).then((value) => done(null, value)),
  setItem: (key, value, done) => storage.setItem(key, value).then(() => done(null)),
  removeItem: (key, done) => storage.removeItem(key).then(() => done(null)),
  getAllKeys: (done) => storage.getAllKeys().then((keys) => done(null, keys)),
})
