import { Notification } from 'electron'

/** The window is gone, and the app isn't: said once, or a person would look for it. */
export function tellOfTray(onClick: () => void): void {
  tell(
    { title: 'Siteward goes on in the tray', body: 'It sends what waits. Its icon shows the window again.' },
    onClick,
  )
}

function tell(words: { title: string; body: string }, onClick: () => void): void {
  if (!Notification.isSupported()) return
  const notification = new Notification({ ...words, silent: true })
  notification.on('click', onClick)
  notification.show()
}
