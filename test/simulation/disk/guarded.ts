import { fail, type Result } from '../../../src/shared/result.ts'
import type { ConnectionStore } from '../../../src/main/storage/store.ts'
import type { AppRun } from '../machine/app-run.ts'

class Crash extends Error {}

/** Wraps a store for one run of the app: the disk can be full, and the process can end at any write. */
export function guarded(store: ConnectionStore, appRun: AppRun): ConnectionStore {
  /** Counts writes to a full disk. Every other one fails only at the commit, after the work, which is then rolled back. */
  let met = 0
  function writing<T>(write: (work: (result: Result<T>) => Result<T>) => Result<T>): Result<T> {
    if (!appRun.alive) return fail('storage')
    if (appRun.diskFull) return ++met % 2 === 0 ? fail('disk-full') : write(() => fail('disk-full'))
    const { crashAtWrite } = appRun
    const isLast = crashAtWrite !== null && --crashAtWrite.writes <= 0
    if (!isLast) return write((result) => result)
    try {
      const written = write((result) => {
        if (!crashAtWrite.written) throw new Crash()
        return result
      })
      return written.ok ? fail('storage') : written
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      return fail('storage')
    } finally {
      appRun.end()
    }
  }

  const cannotWrite = (): boolean =>
    appRun.diskFull || (appRun.crashAtWrite !== null && appRun.crashAtWrite.writes <= 0)
  const whole = <T>(write: () => Result<T>): Result<T> =>
    writing((work) => (cannotWrite() ? store.write(() => work(write())) : work(write())))

  return {
    ...store,
    read: (work) => (appRun.alive ? store.read(work) : fail('storage')),
    write: (work) => writing((then) => store.write(() => then(work()))),
    saveEdit(edit) {
      if (edit.standing.state === 'sending') appRun.sent.add(edit.id)
      store.saveEdit(edit)
    },
    beginRun: () => whole(() => store.beginRun()),
    savePage: (page) => whole(() => store.savePage(page)),
    removeMissing: (key, mark) => whole(() => store.removeMissing(key, mark)),
    completeRun: (run, seenAt) => whole(() => store.completeRun(run, seenAt)),
    saveAccount: (account, seenAt) => whole(() => store.saveAccount(account, seenAt)),
  }
}
