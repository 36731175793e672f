import type { Weather } from '../service/faults.ts'

/**
 * Everything that can happen in a schedule. `website`, `edit`, `entry`: which of those that are there just then, counted
 * round; `roll`: a seed for what else is to be chosen.
 */
export type Action =
  // the user
  | { do: 'create'; domain: number; roll: number }
  | { do: 'update'; website: number; roll: number }
  | { do: 'delete'; website: number }
  /** The last change of a website is undone, or its fields are set back to what they were before. */
  | { do: 'regret'; website: number; how: 'undo' | 'set back' }
  /** The last save of a website is undone, so long after the user has seen that it can be. */
  | { do: 'undoSave'; website: number; after: number }
  /** A form stays open for so long before it's saved; `others`: who change the website meanwhile, and it's read again. */
  | { do: 'type'; website: number; roll: number; for: number; others: boolean }
  | ({ do: 'many' } & BulkAction)
  | { do: 'correct'; edit: number; roll: number }
  /** The form of a website that is not created yet stays open for so long before it's saved. */
  | { do: 'saveNew'; website: number; roll: number; for: number }
  | { do: 'undo'; edit: number }
  | { do: 'discard'; edit: number }
  | { do: 'resolve'; edit: number; roll: number }
  | { do: 'sendNow'; edit: number | null }
  | { do: 'revert'; entry: number; roll: number }
  | { do: 'refresh' }
  /** Sending is paused for so long. */
  | { do: 'pause'; for: number }
  | { do: 'transfer' }
  /** What waits is exported; and what was exported last is taken into the same outbox again. */
  | { do: 'export' }
  | { do: 'import' }
  | { do: 'newKey'; after: number }
  | { do: 'otherKey' }
  // the machine
  | { do: 'quit'; for: number }
  | { do: 'crash'; for: number }
  /** It ends at one of the next writes. */
  | { do: 'doom'; writes: number; written: boolean }
  | { do: 'sleep'; for: number }
  | { do: 'full'; for: number }
  | { do: 'lock'; for: number }
  | { do: 'jump'; by: number }
  // the world
  | { do: 'weather'; weather: Weather; for: number }
  | { do: 'skew'; by: number }
  | { do: 'remote'; what: 'create' | 'update' | 'delete' | 'take'; website: number; roll: number }
  /** For so long another client writes to every website each second. */
  | { do: 'disturb'; for: number; roll: number }
  | { do: 'wait'; ms: number }

/** The same for `count` websites, from the `first` on. */
export interface BulkAction {
  what: 'create' | 'update' | 'delete' | 'takeBack'
  first: number
  count: number
  roll: number
}
