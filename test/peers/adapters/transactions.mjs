import { createCollection, localOnlyCollectionOptions } from '@tanstack/db'
import { NonRetriableError, startOfflineExecutor } from '@tanstack/offline-transactions'
import { isJson, isRefusal, requestOf } from '../request.mjs'

/**
 * The library as its README describes: an executor with collections, and mutation functions that throw unless an answer is ok.
 * The library gives up on errors whose message contains 400, 401, 403 or 422.
 */
export const transactions = (world) =>
  start(world, (response) => {
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
  })

/**
 * The library with what its README offers against wrong retries. `NonRetriableError` is for refusals only. Other messages contain
 * no number, so that the library retries them. An answer that isn't the service's is no success.
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
    // Siteward has one window, which therefore always leads.
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
      // Not awaited, because a commit resolves only once the edit is sent. `held` returns the stored edits.
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
