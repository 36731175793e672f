import { model } from './model.svelte.ts'

/** Kept beside the model's, which a field that lets go in the same turn as another reads as it was before. */
let count = 0

/** While a field has in it what is kept nowhere else, as a secret, nothing may take the page away. Within a component. */
export function holdPage(holds: () => boolean): void {
  const app = model()
  const held = $derived(holds())
  $effect(() => {
    if (!held) return
    app.holds = ++count
    return () => void (app.holds = --count)
  })
}
