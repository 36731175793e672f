import { createCollection, localOnlyCollectionOptions } from '@tanstack/db'
import { NonRetriableError, startOfflineExecutor } from '@tanstack/offline-transactions'
import { isJson, isRefusal, requestOf } from '../request.mjs'

/**
 * As its README has it: an executor with collections and mutation functions, which throw where an answer isn't ok. Its
 * policy gives up errors whose words have 400, 401, 403 or 422 in them.
 */
export const transactions = (world) =>
  start(world, (response) => {
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
  })

/**
 * What its README offers: `NonRetriableError` for a refusal and for nothing else, and words without a number, so that the
 * policy gives up no more than that; an answer that isn't the service's own is no success.
 */
export const transactionsTuned = (world) =>
  start(world, (response) => {
    if (isRefusal(response.status)) throw new NonRetriableError('refused')
    if (!response.ok || (response.status !== 204 && !isJson(response))) throw new Error('not done')
  })

async function start(world, judge) {
  const { storage } = world
  const edits = createCollection(localOnlyCollectionOptions({ id: 'edits', getKey: (edit) => edit.id }))
  let wake = () => undefined
  const executor = startOfflineExecutor({
    collections: { edits },
    mutationFns: {
      async send({ transaction }) {
        const { edit } = transaction.mutations[0].modified
        const { url, ...init } = requestOf(edit, world.idOf)
        try {
          judge(await world.fetch(url, init))
        } catch (error) {
          if (error instanceof NonRetriableError || /40[013]|422/.test(error.message)) {
            world.report(edit.id, 'failed')
          }
          throw error
        }
        world.report(edit.id, 'done')
      },
    },
    storage: {
      get: (key) => storage.getItem(key),
      set: (key, value) => storage.setItem(key, value),
      delete: (key) => storage.removeItem(key),
      keys: () => storage.getAllKeys(),
      clear: async () => {
        for (const key of await storage.getAllKeys()) await storage.removeItem(key)
      },
    },
    // One window, as ours: it leads.
    leaderElection: {
      requestLeadership: () => Promise.resolve(true),
      releaseLeadership: () => undefined,
      isLeader: () => true,
      onLeadershipChange: () => () => undefined,
    },
    onlineDetector: {
      subscribe: (callback) => {
        wake = callback
        return () => undefined
      },
      notifyOnline: () => wake(),
      isOnline: () => world.isOnline(),
      dispose: () => undefined,
    },
  })
  await executor.waitForInit()
  if (!executor.isOfflineEnabled) throw new Error('It stores nothing.')

  return {
    async enqueue(edit) {
      const transaction = executor.createOfflineTransaction({ mutationFnName: 'send', autoCommit: false })
      transaction.mutate(() => void edits.insert({ id: `edit-${edit.id}`, edit }))
      // The commit resolves when it's sent; that it's kept shows in the outbox.
      void transaction.commit().catch(() => undefined)
      await world.time.sleep(1)
    },
    async held() {
      const kept = await executor.peekOutbox()
      return kept.map(({ mutations }) => mutations[0].modified.edit.id)
    },
    network: (online) => online && wake(),
    end: () => executor.dispose(),
  }
}
