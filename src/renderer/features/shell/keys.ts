import type { Model } from '../../state/model.svelte.ts'

export const SEARCH_ID = 'search-websites'

/** The keys that work anywhere in the window: F5, `/` and Escape. */
export function shellKeys(model: Model, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'F5') {
    event.preventDefault()
    void model.refresh()
  } else if (event.key === '/' && !isTyping(event.target)) {
    event.preventDefault()
    model.screen = 'websites'
    // The search box may only be drawn by this change of screen.
    requestAnimationFrame(() => document.getElementById(SEARCH_ID)?.focus())
  } else if (event.key === 'Escape' && model.screen === 'websites' && model.editor.form) {
    event.preventDefault()
    model.editor.close()
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [role="alertdialog"]') !== null
