import { m } from '../messages/index.ts'

/** Labels of buttons that several screens have. */
export const actWords = {
  get cancel() {
    return m.common_cancel()
  },
  get close() {
    return m.common_close()
  },
  get save() {
    return m.common_save()
  },
  get undo() {
    return m.common_undo()
  },
  get delete() {
    return m.common_delete()
  },
  get deleting() {
    return m.common_delete_ask()
  },
  get edit() {
    return m.common_edit()
  },
  get editing() {
    return m.common_edit_ask()
  },
  get discard() {
    return m.common_discard()
  },
  get discarding() {
    return m.common_discard_ask()
  },
  get dismiss() {
    return m.common_dismiss()
  },
  get stop() {
    return m.common_stop()
  },
  get open() {
    return m.common_open()
  },
  get remove() {
    return m.common_remove()
  },
  get rename() {
    return m.common_rename()
  },
  get resolve() {
    return m.common_resolve()
  },
  get retry() {
    return m.common_try_again()
  },
  get send() {
    return m.common_send_now()
  },
  get sendAgain() {
    return m.common_send_again()
  },
  get checkAgain() {
    return m.common_check_again()
  },
  get resume() {
    return m.common_resume()
  },
  get import() {
    return m.common_import()
  },
  get export() {
    return m.common_export()
  },
  get exporting() {
    return m.common_export_ask()
  },
  get exportPending() {
    return m.common_export_pending()
  },
}
