import { dehydrate, MutationObserver, onlineManager, QueryClient } from '@tanstack/query-core'
import { persistQueryClient } from '@tanstack/query-persist-client-core'
import { isJson, isRefusal, requestOf } from '../request.mjs'

const STORED = 'query-cache'

/**
 * TanStack Query as its guide on persisting mutations describes. `setMutationDefaults` gives a resumed mutation its function. The
 * client is persisted at most once a second. After it is restored, `resumePausedMutations` runs. A mutation is tried once.
 */
export const query = (world) => start(world, { throttle: 1_000, mutation: {}, dehydrate: undefined })

/**
 * TanStack Query with options from its guide: `retry` until the service refuses, `scope` to send the mutations of a website one
 * after another, and persistence at each change, of all mutations that aren't done.
 */
export const queryTuned = (world) =>
  start(world, {
    throttle: 0,
    mutation: {
      retry: (_count, error) => !isRefusal(error.status),
      retryDelay: (count) => Math.min(300_000, 1_000 * 2 ** count),
    },
    dehydrate: { shouldDehydrateMutation: (mutation) => mutation.state.status === 'pending' },
  })

async function start(world, { throttle, mutation, dehydrate: dehydrateOptions }) {
  const tuned = throttle === 0
  onlineManager.setEventListener(() => () => undefined)
  onlineManager.setOnline(world.isOnline())
  const client = new QueryClient()
  client.setMutationDefaults(['edit'], {
    mutationFn: async ({ url, ...init }) => {
      const response = await world.fetch(url, init)
      if (response.ok && (!tuned || response.status === 204 || isJson(response))) return response.text()
      throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status })
    },
    onSuccess: (_data, { edit }) => world.report(edit, 'done'),
    onError: (_error, { edit }) => world.report(edit, 'failed'),
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
  // `resumePausedMutations` leaves out mutations that were running when the process ended. They continue only when asked.
  if (tuned) for (const each of client.getMutationCache().getAll()) void each.continue().catch(() => undefined)

  return {
    async enqueue(edit) {
      const { domain } = edit
      const observer = new MutationObserver(client, {
        mutationKey: ['edit'],
        ...(tuned && { scope: { id: domain } }),
      })
      // Not awaited: the form doesn't wait, and the callbacks of the defaults report the outcome.
      void observer.mutate({ ...requestOf(edit, world.idOf), edit: edit.id }).catch(() => undefined)
    },
    held: () =>
      Promise.resolve(
        dehydrate(client, { shouldDehydrateMutation: ({ state }) => state.status === 'pending' }).mutations.map(
          ({ state }) => state.variables.edit,
        ),
      ),
    network: (online) => world.isAlive() && onlineManager.setOnline(online),
    end() {
      stop()
      client.unmount()
    },
  }
}

/** Writes the latest state at the end of the throttle time, like TanStack Query's async persister. */
function createPersister({ storage, time }, throttle) {
  let next = null
  return {
    persistClient(state) {
      const text = JSON.stringify(state)
      if (throttle === 0) return storage.setItem(STORED, text)
      if (next === null) {
        time.after(throttle, () => {
          void storage.setItem(STORED, next)
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
