import type { Connections } from '../connection/ports.ts'
import { forActiveConnection, typedHandlers } from './handlers.ts'

export function localDataHandlers(connections: Pick<Connections, 'active'>) {
  const active = forActiveConnection(connections)
  return typedHandlers({
    listViews: active(({ savedViews }) => savedViews.list()),
    saveView: active(({ savedViews }, draft) => savedViews.save(draft)),
    removeView: active(({ savedViews }, { id }) => savedViews.remove(id)),
    listTags: active(({ tags }) => tags.list()),
    saveTag: active(({ tags }, tag) => tags.save(tag)),
    removeTag: active(({ tags }, { name, unused }) => tags.remove(name, unused)),
    countTags: active(({ tags }, { keys }) => tags.count(keys)),
    assignTags: active(({ tags }, { keys, add, remove }) => tags.assign(keys, add, remove)),
    setNote: active(({ view, tags }, { key, note }) => {
      const website = view.website(key)
      return website.ok ? tags.setNote(website.value.domain, note) : website
    }),
    undoTags: active(({ tags }, { change }) => tags.undo(change)),
  })
}
