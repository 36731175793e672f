import type { AskedDialog, DialogAnswer } from '../controls.ts'
import { runtime } from '../runtime.ts'
import { strict } from '../strict.ts'

type Options = Record<string, unknown>
/** With a window, or without. */
type Asked = [window: unknown, options: Options] | [options: Options]

/** Answered from the queue that a test has filled, in order; otherwise as if the person had pressed Escape. */
function answer(kind: AskedDialog['kind'], asked: Asked, escape: DialogAnswer): DialogAnswer {
  const { dialogs } = runtime().controls
  const options = (asked.length === 2 ? asked[1] : asked[0]) ?? {}
  const given = { ...escape, ...dialogs.queue.shift() }
  dialogs.answered.push({ kind, options, answer: given })
  return given
}

/** Electron's rule for Escape: `cancelId`, or the button called so, or the first. */
function escapeButton(asked: Asked): number {
  const { cancelId, buttons } = (asked.at(-1) ?? {}) as { cancelId?: number; buttons?: string[] }
  const named = (buttons ?? []).findIndex((label) => /^(cancel|no)$/i.test(label))
  return cancelId ?? Math.max(0, named)
}

const messageBox = (...asked: Asked): DialogAnswer =>
  answer('message', asked, { response: escapeButton(asked), checkboxChecked: false })

function openDialog(...asked: Asked): DialogAnswer & { canceled: boolean } {
  const { filePaths = [] } = answer('open', asked, { filePaths: [] })
  return { canceled: filePaths.length === 0, filePaths }
}

function saveDialog(...asked: Asked): DialogAnswer & { canceled: boolean } {
  const { filePath = '' } = answer('save', asked, { filePath: '' })
  return { canceled: filePath === '', filePath }
}

export const createDialog = (): object =>
  strict(
    {
      showMessageBox: async (...asked: Asked) => messageBox(...asked),
      showMessageBoxSync: (...asked: Asked) => messageBox(...asked).response,
      showErrorBox: (title: string, content: string): void => {
        runtime().controls.dialogs.answered.push({ kind: 'error', options: { title, content }, answer: {} })
        console.error(`${title}\n${content}`)
      },
      showOpenDialog: async (...asked: Asked) => openDialog(...asked),
      showOpenDialogSync: (...asked: Asked) => openDialog(...asked).filePaths,
      showSaveDialog: async (...asked: Asked) => saveDialog(...asked),
      showSaveDialogSync: (...asked: Asked) => saveDialog(...asked).filePath,
    },
    'dialog',
  )
