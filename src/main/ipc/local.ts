import { fail, ok } from '../../shared/result.ts'
import type { Connections } from '../connection/ports.ts'
import type { Handlers } from './registrar.ts'

type HandledCommand =
  | 'listViews'
  | 'saveView'
  | 'removeView'
  | 'listTags'
  | 'saveTag'
  | 'removeTag'
  | 'countTags'
  | 'assignTags'
  | 'setNote'

/** Returns the handlers of commands about what the user keeps on this computer only, for the active connection. */
export function localHandlers(connections: Pick<Connections, 'active'>): Pick<Handlers, HandledCommand> {
  const views = () => connections.active()?.savedViews
  const tags = () => connections.active()?.tags
  return {
    listViews: () => views()?.list() ?? fail('no-connection'),
    saveView: (draft) => views()?.save(draft) ?? fail('no-connection'),
    removeView: ({ id }) => views()?.remove(id) ?? fail('no-connection'),
    listTags: () => tags()?.list() ?? fail('no-connection'),
    saveTag: (tag) => tags()?.save(tag) ?? fail('no-connection'),
    removeTag: ({ name }) => tags()?.remove(name) ?? fail('no-connection'),
    countTags: async ({ keys }) => (await tags()?.count(keys)) ?? fail('no-connection'),
    assignTags: async ({ keys, add, remove }) => (await tags()?.assign(keys, add, remove)) ?? fail('no-connection'),
    setNote: ({ key, note }) => {
      const connection = connections.active()
      if (connection === null) return fail('no-connection')
      const website = connection.view.website(key)
      if (!website.ok) return website
      const changed = connection.tags.change([{ domain: website.value.domain, to: { note: note.trim() } }])
      return changed.ok ? ok(undefined) : changed
    },
  }
}
