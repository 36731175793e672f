import { createRequire } from 'node:module'
import { isJson, isRefusal, requestOf } from '../request.mjs'

const require = createRequire(import.meta.url)
const { offline } = require('@redux-offline/redux-offline')
const { default: defaults } = require('@redux-offline/redux-offline/lib/defaults')
const { createStore, compose } = require('redux')
const { persistStore } = require('redux-persist')

/**
 * redux-offline as its README describes: `offline(offlineConfig)`, actions with `meta.offline`, and its own effect, retry and
 * discard. It tries ten times. It drops an action after a 4xx and after any error that is not an answer, such as a broken
 * connection.
 */
export const reduxOffline = (world) => start(world, { ...defaults })

/**
 * redux-offline with options from its README.
 * `effect`: every response except a success of the service is an error.
 * `discard`: drops an action only if the service refuses it.
 * `retry`: tries without end, at most five minutes apart.
 * Each change is written without a delay.
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
    // 0 is the default, and the fastest: the library writes one key in each turn of the event loop.
    persistOptions: { debounce: 0 },
  })

async function start(world, config) {
  // The default effect of redux-offline sends requests with the global `fetch`.
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
  // Waits as an app does: it shows its first screen after the stored state was read.
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

/** Converts a storage to the interface that redux-persist 4 requires. */
const asCallbacks = (storage) => ({
  getItem: (key, done) => storage.getItem(key).then((value) => done(null, value)),
  setItem: (key, value, done) => storage.setItem(key, value).then(() => done(null)),
  removeItem: (key, done) => storage.removeItem(key).then(() => done(null)),
  getAllKeys: (done) => storage.getAllKeys().then((keys) => done(null, keys)),
})
