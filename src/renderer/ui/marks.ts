import { ArrowUp, Check, Clock, Pause, Plus, RotateCcw, Search, Trash2 as Trash, TriangleAlert, UserPen } from 'lucide'
import type { Mark } from '../../words/websites.ts'

/** What a state is known by before its words are read. */
export const marks: Record<Mark, typeof Plus> = {
  new: Plus,
  waiting: Clock,
  paused: Pause,
  deleting: Trash,
  sending: ArrowUp,
  checking: Search,
  parked: TriangleAlert,
  done: Check,
  undone: RotateCcw,
  elsewhere: UserPen,
}
