import ArrowUp from '@lucide/svelte/icons/arrow-up'
import Check from '@lucide/svelte/icons/check'
import Clock from '@lucide/svelte/icons/clock'
import Pause from '@lucide/svelte/icons/pause'
import Plus from '@lucide/svelte/icons/plus'
import RotateCcw from '@lucide/svelte/icons/rotate-ccw'
import Search from '@lucide/svelte/icons/search'
import Trash from '@lucide/svelte/icons/trash-2'
import TriangleAlert from '@lucide/svelte/icons/triangle-alert'
import UserPen from '@lucide/svelte/icons/user-pen'
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
  remoteChange: UserPen,
}
