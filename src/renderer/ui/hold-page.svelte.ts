/**
 * Why a component keeps the page loaded: it asks a question, text or a secret is typed in it, or it is the editor and a password is
 * typed in it.
 */
type Reason = 'question' | 'text' | 'password'

/** The number of components for each reason. A `$state` would be stale when two of them change in one turn. */
const holderCounts = { question: 0, text: 0, password: 0 }
/** True for each reason that at least one component has. */
const held = $state({ question: false, text: false, password: false })

/** True if the page must stay loaded. */
export const isPageHeld = (): boolean => held.question || held.text || held.password

/** True if text or a secret is typed outside of the editor and is stored nowhere else. The editor asks about its own text. */
export const isTextTypedOutsideEditor = (): boolean => held.text

/**
 * Keeps main from unloading the page of a closed window while a component shows something that is stored nowhere else, such as
 * a typed secret or an open question. Call it in a component.
 */
export function holdPage(holds: () => boolean, reason: Reason = 'text'): void {
  const holding = $derived(holds())
  $effect(() => {
    if (!holding) return
    held[reason] = ++holderCounts[reason] > 0
    return () => void (held[reason] = --holderCounts[reason] > 0)
  })
}
