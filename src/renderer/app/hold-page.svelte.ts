import { model } from './model.svelte.ts'

/**
 * The number of fields that keep the page loaded. It is kept outside the model, whose value is stale when two fields change in one
 * turn.
 */
let count = 0

/**
 * Keeps main from unloading the page of a closed window while a field holds text that is stored nowhere else, such as a secret.
 * Call it in a component.
 */
export function holdPage(holds: () => boolean): void {
  const app = model()
  const held = $derived(holds())
  $effect(() => {
    if (!held) return
    app.holds = ++count
    return () => void (app.holds = --count)
  })
}
