import type { Weather } from '../service/faults.ts'

/**
 * Everything that can happen in a schedule. `website`, `edit` and `entry` are positions in the current list, modulo its
 * length; `roll` is the seed of all further choices. Durations are in milliseconds.
 */
export type Action =
  // the user
  | { do: 'create'; domain: number; roll: number }
  | { do: 'update'; website: number; roll: number }
  | { do: 'delete'; website: number }
  | { do: 'regret'; website: number; how: 'undo' | 'set back' }
  /** Undoes the last save of a website, some time after the user saw that it can be undone. */
  | { do: 'undoSave'; website: number | 'last'; after: number }
  /** Leaves a form open for a while before it is saved. `remoteChange`: another client changes the website in between. */
  | { do: 'type'; website: number; roll: number; for: number; remoteChange: boolean }
  | ({ do: 'bulk' } & BulkAction)
  /** Changes `count` websites, from position `first` on, as one bulk change. */
  | { do: 'changeBulk'; first: number; count: number; roll: number }
  | { do: 'undoBulk' }
  | { do: 'correct'; edit: number; roll: number }
  /** Leaves the form of a website that is not created yet open for a while before it is saved. */
  | { do: 'saveNew'; website: number; roll: number; for: number }
  | { do: 'undo'; edit: number }
  | { do: 'discard'; edit: number }
  | { do: 'resolve'; edit: number; roll: number }
  | { do: 'sendNow'; edit: number | null }
  | { do: 'revert'; entry: number; roll: number }
  | { do: 'refresh' }
  | { do: 'pause'; for: number }
  /** Exports the pending edits, and imports them into an empty outbox of the same connection. */
  | { do: 'transfer' }
  | { do: 'export' }
  /** Imports the last export into the same outbox. */
  | { do: 'import' }
  /** Replaces the API key on the service. The user enters the new one `after` milliseconds later. */
  | { do: 'newKey'; after: number }
  /** The user enters a key of another account. */
  | { do: 'otherKey' }
  // the machine
  | { do: 'quit'; for: number }
  | { do: 'crash'; for: number }
  | { do: 'crashAtWrite'; writes: number; written: boolean }
  | { do: 'sleep'; for: number }
  /** The disk is full. */
  | { do: 'full'; for: number }
  /** The keychain is locked. */
  | { do: 'lock'; for: number }
  /** Moves the wall clock of the machine. */
  | { do: 'jump'; by: number }
  // the world
  | { do: 'weather'; weather: Weather; for: number }
  /** Moves the clock of the service. */
  | { do: 'skew'; by: number }
  /** Another client changes the user's account. `take`: it creates a website in an account of its own. */
  | { do: 'remote'; change: 'create' | 'update' | 'delete' | 'take'; website: number; roll: number }
  /** Another client writes to every website each second. */
  | { do: 'disturb'; for: number; roll: number }
  | { do: 'wait'; ms: number }

/** A bulk command for `count` websites, from position `first` on. `takeBack`: undoes the latest creates or deletes. */
export interface BulkAction {
  kind: 'create' | 'update' | 'delete' | 'takeBack'
  first: number
  count: number
  roll: number
}
