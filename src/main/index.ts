import { app } from 'electron'
import { compose } from './compose.ts'
import { declareScheme } from './shell/protocol.ts'
import { asksForDebugging, holdBackPeers } from './shell/security.ts'

declareScheme()
holdBackPeers()
app.enableSandbox()

// A second start shows the window of the first, and ends.
if (asksForDebugging()) app.exit(1)
else if (app.requestSingleInstanceLock()) void app.whenReady().then(compose)
else app.quit()
