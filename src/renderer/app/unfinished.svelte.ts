import type { Unfinished, UnfinishedForm } from '../../shared/unfinished.ts'
import type { Model } from './model.svelte.ts'
import { WebsiteForm } from '../features/editor/website-form.svelte.ts'

const PAUSE = 200 // milliseconds without another key

/** Tells main what the person is in the middle of, as it changes. Within an effect. */
export function keepUnfinished(model: Model): void {
  $effect(() => {
    if (!model.begun) return
    const unfinished = unfinishedOf(model)
    const timer = setTimeout(() => void model.bridge.keepUnfinished(unfinished), PAUSE)
    return () => clearTimeout(timer)
  })
}

/** Goes on with what a page before this one was in the middle of, where it was. */
export async function resume(model: Model, { form, list, changes }: Unfinished): Promise<void> {
  model.websites.resume(list)
  model.pending.tab = changes
  if (!form || model.editor.form) return
  const begun = await formOf(model, form)
  if (begun) model.editor.resume(begun)
}

async function formOf({ bridge }: Model, { website: key, ...rest }: UnfinishedForm): Promise<WebsiteForm | null> {
  if (key === null) return WebsiteForm.resumed(bridge, null, rest)
  const website = await bridge.getWebsite({ key })
  return website.ok ? WebsiteForm.resumed(bridge, website.value, rest) : null
}

function unfinishedOf(model: Model): Unfinished {
  const { app, editor, history, leaving, pending, removing, screen, websites } = model
  const asked =
    editor.asking ??
    editor.deleting ??
    history.asking ??
    pending.discarding ??
    pending.deletingAnyway ??
    removing.entry ??
    model.profiles.removing
  const adding = model.adding?.filled === true
  const filling = adding || model.many.text !== '' || model.bulk.open || model.profiles.form.open
  const deciding = screen === 'pending' && pending.parked.length > 0
  return {
    form: editor.form?.unfinished() ?? null,
    list: websites.place,
    changes: pending.tab,
    held: model.holds > 0 || !app?.connection || asked !== null || leaving.open || deciding || filling,
  }
}
