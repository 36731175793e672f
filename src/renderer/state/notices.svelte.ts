export interface Notice {
  readonly id: number
  readonly text: string
  readonly action?: NoticeAction
}

export interface NoticeAction {
  readonly label: string
  readonly run: () => Promise<void>
  /** The edit that it's about, if there's one; once that is settled otherwise, there is nothing to offer. */
  readonly edit?: string
}

/** Something long that is under way. */
export interface Progress {
  readonly text: string
  readonly done: number
  readonly total: number
  readonly stop: () => void
}

const STAYS = 10_000 // milliseconds: as long as a delete waits for its Undo

/** Short messages that go by themselves. */
export class Notices {
  #next = 1
  list: Notice[] = $state.raw([])
  /** Until it has ended. */
  progress: Progress | null = $state.raw(null)

  say(text: string, action?: NoticeAction): void {
    const id = this.#next++
    // One that only tells makes room for the next: they take their place from what is being worked on.
    const offers = this.list.filter((notice) => notice.action).slice(-2)
    this.list = [...offers, action ? { id, text, action } : { id, text }]
    setTimeout(() => this.drop(id), STAYS)
  }

  dropAbout(edit: string): void {
    this.list = this.list.filter((notice) => notice.action?.edit !== edit)
  }

  drop(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id)
  }
}
