const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * Which one of a row of buttons the arrow keys lead to, of which one takes part in the order of Tab: from the last one on to the
 * first. One that is out of use is passed over. It gets the focus; null: it's no such key.
 */
export function besideByKey(event: KeyboardEvent & { currentTarget: HTMLElement }): number | null {
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return null
  const all = [...(event.currentTarget.parentElement?.children ?? [])] as HTMLElement[]
  const beside = (at: number) => (at + step + all.length) % all.length
  let to = beside(all.indexOf(event.currentTarget))
  while (all[to]?.matches(':disabled')) to = beside(to)
  event.preventDefault()
  all[to]?.focus()
  return to
}
