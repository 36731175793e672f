import { app } from 'electron'
import { compose } from './compose.ts'
import { declareScheme } from './shell/protocol.ts'
import { openedWith, registerLinks } from './shell/opened-with.ts'
import { asksForDebugging, holdBackPeers } from './shell/security.ts'

declareScheme()
holdBackPeers()
app.enableSandbox()

// A second start shows the window of the first, and ends.
if (asksForDebugging()) app.exit(1)
else if (app.requestSingleInstanceLock()) {
  const start = openedWith(process.argv)
  void app.whenReady().then(() => {
    registerLinks()
    return compose(start)
  })
} else app.quit()
