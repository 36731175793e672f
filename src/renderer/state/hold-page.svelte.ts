import { untrack } from 'svelte'
import { model } from './model.svelte.ts'

/** While a field has in it what is kept nowhere else, as a secret, nothing may take the page away. Within a component. */
export function holdPage(holds: () => boolean): void {
  const desk = model()
  $effect(() => {
    if (!holds()) return
    untrack(() => desk.holds++)
    return () => desk.holds--
  })
}
