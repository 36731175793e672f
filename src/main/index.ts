import { app } from 'electron'
import { compose } from './compose.ts'
import { declareScheme } from './shell/protocol.ts'

declareScheme()
app.enableSandbox()

// A second start shows the window of the first, and ends.
if (app.requestSingleInstanceLock()) {
  void app.whenReady().then(compose)
} else {
  app.quit()
}
