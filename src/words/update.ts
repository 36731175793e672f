import { fail } from '../shared/result.ts'
import type { Update } from '../shared/update.ts'
import { errorWords } from './errors.ts'

/** How far a newer version has come, and what it waits for. */
export function updateWords(update: Update): string {
  switch (update.state) {
    case 'none':
      return update.error === null
        ? 'No newer version is known of. Siteward looks once a day.'
        : 'Siteward couldn’t find out whether there is a newer version. It looks again tomorrow.'
    case 'found':
      return `Siteward ${update.version} is there. Nothing of it is fetched before you say so.`
    case 'downloading':
      return `Siteward ${update.version} is being fetched.`
    case 'ready':
      return `Siteward ${update.version} is ready: restart to update. It’s installed too when you quit.`
    case 'restarting':
      return `Siteward restarts with ${update.version} as soon as nothing is being sent.`
  }
}

/** Why it couldn't be fetched, and what to do; undefined where nothing went wrong. */
export function updateProblem(update: Update): { what: string; todo: string } | undefined {
  return update.state === 'found' && update.error !== null ? errorWords(fail(update.error).error) : undefined
}

export const updateActs = {
  title: 'New version',
  check: 'Check now',
  download: 'Download',
  restart: 'Restart to update',
}
