/** Why a component keeps the page loaded: an open question, typed text or a typed secret, or a password typed in the editor. */
type Reason = 'question' | 'text' | 'password'

/** Number of components per reason. Not a `$state`, which would be outdated when two components change in the same update. */
const holderCounts = { question: 0, text: 0, password: 0 }
/** True for each reason that at least one component has. */
const held = $state({ question: false, text: false, password: false })

/** True if the page must stay loaded. */
export const isPageHeld = (): boolean => held.question || held.text || held.password

/** True if text is typed outside of the editor and stored nowhere else. The editor asks about its own text. */
export const isTextTypedOutsideEditor = (): boolean => held.text

/**
 * Keeps main from unloading the page of a closed window while the component has something that is stored nowhere else, such as an
 * open question. Must be called in a component.
 */
export function holdPage(holds: () => boolean, reason: Reason = 'text'): void {
  const holding = $derived(holds())
  $effect(() => {
    if (!holding) return
    held[reason] = ++holderCounts[reason] > 0
    return () => void (held[reason] = --holderCounts[reason] > 0)
  })
}
