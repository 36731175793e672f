/** A row that is drawn, and which of the elements that are there already draws it. */
export interface Slot {
  slot: number
  index: number
}

/**
 * Has the elements of rows that are drawn no more draw those that have come: making them anew is most of what scrolling costs.
 * A row keeps its element as long as it's drawn.
 */
export function createSlots(): (rows: readonly number[]) => Slot[] {
  let taken = new Map<number, number>()
  return (rows) => {
    const drawn = new Set(rows)
    const stays = [...taken].filter(([index]) => drawn.has(index))
    // In the order in which they were drawn, so that few of them change their places in the page.
    const free = [...taken].filter(([index]) => !drawn.has(index)).map(([, slot]) => slot)
    const used = new Set([...stays.map(([, slot]) => slot), ...free])
    const kept = new Map(stays)
    let last = -1
    const made = (): number => {
      while (used.has(++last));
      return last
    }
    const slots = rows.map((index) => ({ index, slot: kept.get(index) ?? free.shift() ?? made() }))
    taken = new Map(slots.map(({ index, slot }) => [index, slot]))
    return slots
  }
}
