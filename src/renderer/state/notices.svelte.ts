export interface Notice {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const STAYS = 10_000 // milliseconds: as long as a delete waits for its Undo

/** Short messages that go by themselves. */
export class Notices {
  #next = 1
  list: Notice[] = $state.raw([])

  say(text: string, action?: Notice['action']): void {
    const id = this.#next++
    this.list = [...this.list.slice(-2), action ? { id, text, action } : { id, text }]
    setTimeout(() => this.drop(id), STAYS)
  }

  drop(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id)
  }
}
