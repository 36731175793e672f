import type { Conflict, Resolution, UnitChoice } from '../../../../shared/edit.ts'
import type { SettingName } from '../../../../shared/website.ts'

type Chosen = Partial<Record<SettingName, UnitChoice>>

/** The user's choices in a conflict. All are dropped when a value changes. */
export class UnitChoices {
  readonly #conflict: () => Conflict
  /** The choices, and the conflict for which they were made, as JSON. */
  #made: { about: string; chosen: Chosen } = $state.raw({ about: '', chosen: {} })

  readonly #about = $derived.by(() => JSON.stringify(this.#conflict()))
  readonly chosen: Chosen = $derived(this.#made.about === this.#about ? this.#made.chosen : {})
  /** The first field without a choice. */
  readonly missing = $derived.by(() => this.#conflict().units.find(({ unit }) => this.chosen[unit] === undefined)?.unit)
  /** True if a value has changed since the user made a choice. */
  readonly outdated = $derived(this.#made.about !== '' && this.#made.about !== this.#about)

  constructor(conflict: () => Conflict) {
    this.#conflict = conflict
  }

  choose(unit: SettingName, choice: UnitChoice): void {
    this.#made = { about: this.#about, chosen: { ...this.chosen, [unit]: choice } }
  }

  /** Makes the same choice for all fields that allow it. */
  chooseAll(choice: UnitChoice): void {
    for (const { unit, choices } of this.#conflict().units) if (choices.includes(choice)) this.choose(unit, choice)
  }

  get resolution(): Resolution {
    return { way: 'units', units: this.chosen }
  }
}
