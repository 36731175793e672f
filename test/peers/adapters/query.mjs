// @ts-check
import { dehydrate, MutationObserver, onlineManager, QueryClient } from '@tanstack/query-core'
import { persistQueryClient } from '@tanstack/query-persist-client-core'
import { isJson, isRefusal, requestOf } from '../request.mjs'

const STORED = 'query-cache'

/**
 * As its guide on persisting mutations has it: `setMutationDefaults` so that what is resumed knows its function, the
 * client persisted (a throttle of a second), `resumePausedMutations` once it's restored. It tries a mutation once.
 *
 * @type {import('../peer.mjs').MakePeer}
 */
export const query = (world) => start(world, { throttle: 1_000, mutation: {}, dehydrate: undefined })

/**
 * What its guide offers to change. `retry`: whatever isn't a refusal, without end; `scope`: one after another for each
 * website; written at each change; and not only what is paused is kept, but all that isn't done.
 *
 * @type {import('../peer.mjs').MakePeer}
 */
export const queryTuned = (world) => start(world, { ...tunedOptions, goesOn: () => true })

/**
 * The same, but that what is paused isn't told to go on by a start: it does when there is a connection. Told so, each would
 * write the whole queue anew, and a start with thousands would take minutes.
 *
 * @type {import('../peer.mjs').MakePeer}
 */
export const queryWaiting = (world) =>
  start(world, { ...tunedOptions, goesOn: (/** @type {any} */ { state }) => !state.isPaused })

const tunedOptions = {
  throttle: 0,
  mutation: {
    retry: (/** @type {number} */ _count, /** @type {any} */ error) => !isRefusal(error.status),
    retryDelay: (/** @type {number} */ count) => Math.min(300_000, 1_000 * 2 ** count),
  },
  dehydrate: { shouldDehydrateMutation: (/** @type {any} */ mutation) => mutation.state.status === 'pending' },
}

/** @param {import('../peer.mjs').PeerWorld} world @param {any} options @returns {Promise<import('../peer.mjs').Peer>} */
async function start(world, { throttle, mutation, dehydrate: dehydrateOptions, goesOn }) {
  const tuned = throttle === 0
  onlineManager.setEventListener(() => () => undefined)
  onlineManager.setOnline(world.isOnline())
  const client = new QueryClient()
  client.setMutationDefaults(['edit'], {
    mutationFn: async (/** @type {any} */ { url, ...init }) => {
      const response = await world.fetch(url, init)
      if (response.ok && (!tuned || response.status === 204 || isJson(response))) return response.text()
      throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status })
    },
    onSuccess: (/** @type {any} */ _data, /** @type {any} */ { edit }) => world.told(edit, 'done'),
    onError: (/** @type {any} */ _error, /** @type {any} */ { edit }) => world.told(edit, 'failed'),
    gcTime: Infinity,
    ...mutation,
  })
  client.mount()
  const [stop, restored] = persistQueryClient({
    queryClient: client,
    persister: createPersister(world, throttle),
    maxAge: Infinity,
    ...(dehydrateOptions && { dehydrateOptions }),
  })
  await restored
  void client.resumePausedMutations()
  // What was under way isn't paused, and only goes on when it's told to.
  const under = client.getMutationCache().getAll()
  if (tuned) for (const each of under.filter(goesOn)) void each.continue().catch(() => undefined)

  return {
    async enqueue(edit) {
      const { domain } = edit
      const observer = new MutationObserver(client, {
        mutationKey: ['edit'],
        ...(tuned && { scope: { id: domain } }),
      })
      // The form hands over and goes on; what becomes of it is told by the defaults' callbacks.
      void observer.mutate({ ...requestOf(edit, world.idOf), edit: edit.id }).catch(() => undefined)
    },
    held: () =>
      Promise.resolve(
        dehydrate(client, { shouldDehydrateMutation: ({ state }) => state.status === 'pending' }).mutations.map(
          ({ state }) => /** @type {any} */ (state.variables).edit,
        ),
      ),
    network: (online) => world.isAlive() && onlineManager.setOnline(online),
    end() {
      stop()
      client.unmount()
    },
  }
}

/** As its async persister: the latest state is written when the throttle is over. @param {import('../peer.mjs').PeerWorld} world @param {number} throttle */
function createPersister({ storage, time }, throttle) {
  /** @type {string | null} */
  let next = null
  return {
    persistClient(/** @type {unknown} */ state) {
      const text = JSON.stringify(state)
      if (throttle === 0) return storage.setItem(STORED, text)
      if (next === null) {
        time.after(throttle, () => {
          void storage.setItem(STORED, /** @type {string} */ (next))
          next = null
        })
      }
      next = text
      return Promise.resolve()
    },
    async restoreClient() {
      const text = await storage.getItem(STORED)
      return text === null ? undefined : JSON.parse(text)
    },
    removeClient: () => storage.removeItem(STORED),
  }
}
