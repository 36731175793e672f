import type { Conflict, Resolution, UnitChoice } from '../../../../shared/edit.ts'
import type { SettingName } from '../../../../shared/website.ts'

type Chosen = Partial<Record<SettingName, UnitChoice>>

/** What the person chose for each unit of a conflict. It holds for the values that were shown, and for no others. */
export class UnitChoices {
  readonly #conflict: () => Conflict
  #made: { about: string; chosen: Chosen } = $state.raw({ about: '', chosen: {} })

  readonly #about = $derived.by(() => JSON.stringify(this.#conflict()))
  readonly chosen: Chosen = $derived(this.#made.about === this.#about ? this.#made.chosen : {})
  /** The first unit that isn't chosen yet. */
  readonly missing = $derived.by(() => this.#conflict().units.find(({ unit }) => this.chosen[unit] === undefined)?.unit)
  /** Something was chosen, and then one of the sides became another. */
  readonly outdated = $derived(this.#made.about !== '' && this.#made.about !== this.#about)

  constructor(conflict: () => Conflict) {
    this.#conflict = conflict
  }

  choose(unit: SettingName, choice: UnitChoice): void {
    this.#made = { about: this.#about, chosen: { ...this.chosen, [unit]: choice } }
  }

  /** The same for every unit that allows it. */
  chooseAll(choice: UnitChoice): void {
    for (const { unit, choices } of this.#conflict().units) if (choices.includes(choice)) this.choose(unit, choice)
  }

  get resolution(): Resolution {
    return { way: 'units', units: this.chosen }
  }
}
