import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { isJson, isRefusal, requestOf } from '../request.mjs'

// Workbox reads the scope of the service worker when it is imported.
const scope = { registration: {}, addEventListener: () => undefined }
Object.assign(globalThis, { self: scope })
const { Queue } = await import('workbox-background-sync/Queue.js')

/** Chromium tries a sync event three times: again after five minutes, and after fifteen more. */
const SYNC_TRIES = 3
const FIRST_DELAY = 5 * 60_000

/**
 * Workbox as its guide describes: `BackgroundSyncPlugin` on a `NetworkOnly` route for each method. A request that fails on the
 * network goes into the queue. Any answer, even an error, goes to the page and counts as done.
 */
export const workbox = (world) => start(world, {})

/**
 * Workbox with an `onSync` handler, which its guide describes under "Advanced usage". All requests go through the queue, so their
 * order is kept. Only a refusal drops a request. Any other response except a success is a failure. Requests don't expire. The
 * queue is sent at the start, when the network comes back, and at intervals.
 */
export const workboxTuned = (world) => start(world, { onSync: replayCarefully(world), maxRetentionTime: 60 * 24 * 365 })

async function start(world, options) {
  const { disk, time } = world
  const tuned = options.onSync !== undefined
  disk.idb ??= new IDBFactory()
  Object.assign(globalThis, { indexedDB: disk.idb, fetch: world.fetch })
  // Lets the next start of the process use the same names: Workbox rejects the name of a queue that exists.
  Queue._queueNames.clear()

  const sync = createSyncManager(world)
  Object.assign(scope, sync.scope)
  const queue = new Queue('edits', options)
  const replay = () => options.onSync({ queue }).catch(() => undefined)
  if (tuned) {
    void replay()
    const again = () => void time.after(60_000, () => world.isAlive() && (void replay(), again()))
    again()
  }
  if (disk.registered) sync.register()

  return {
    async enqueue(edit) {
      const { url, ...init } = requestOf(edit, world.idOf)
      const request = new Request(url, { ...init, headers: { ...init.headers, 'x-edit': String(edit.id) } })
      if (tuned) {
        await queue.pushRequest({ request, metadata: { edit: edit.id } })
        void replay()
        return
      }
      let response
      try {
        response = await world.fetch(request.clone())
      } catch {
        return queue.pushRequest({ request })
      }
      world.report(edit.id, response.ok ? 'done' : 'failed')
    },
    async held() {
      const entries = await queue.getAll()
      return entries.map(({ request }) => Number(request.headers.get('x-edit')))
    },
    network(online) {
      if (!online) return
      sync.online()
      if (tuned) void replay()
    },
  }
}

/** Returns a handler that sends the queue in order. It drops a refused request, and stops at any other failure. */
function replayCarefully(world) {
  let running = false
  return async ({ queue }) => {
    if (running) return
    running = true
    let entry
    try {
      while ((entry = await queue.shiftRequest()) !== undefined) {
        const { edit } = entry.metadata
        const response = await world.fetch(entry.request.clone())
        if (isRefusal(response.status)) world.report(edit, 'failed')
        else if (!response.ok || (response.status !== 204 && !isJson(response))) throw new Error('not done')
        else world.report(edit, 'done')
      }
    } catch (error) {
      await queue.unshiftRequest(entry)
      throw error
    } finally {
      running = false
    }
  }
}

/** Simulates the browser's part of Background Sync. */
function createSyncManager(world) {
  const listeners = []
  let tries = 0
  let waiting = false

  function fire() {
    if (!waiting || !world.isOnline() || !world.isAlive()) return
    waiting = false
    tries += 1
    const lastChance = tries >= SYNC_TRIES
    for (const listener of listeners) {
      listener({
        tag: 'workbox-background-sync:edits',
        lastChance,
        waitUntil(work) {
          work.then(
            () => {
              tries = 0
              if (!waiting) world.disk.registered = false
            },
            () => {
              if (lastChance) {
                tries = 0
                world.disk.registered = false
                return
              }
              waiting = true
              world.time.after(FIRST_DELAY * 3 ** (tries - 1), fire)
            },
          )
        },
      })
    }
  }

  function register() {
    world.disk.registered = true
    waiting = true
    world.time.after(0, fire)
    return Promise.resolve()
  }

  return {
    register,
    online: () => world.time.after(0, fire),
    scope: {
      registration: { sync: { register } },
      addEventListener: (name, listener) => {
        if (name === 'sync') listeners.push(listener)
      },
    },
  }
}
