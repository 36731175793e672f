/**
 * `in-namespace.ts USERDATA` uses the app from start to quit in its own network namespace, and prints what it tried to
 * reach as JSON. {@link ../contacts.spec.ts} starts it and sets the namespace up.
 */
import { expect } from '@playwright/test'
import { launchApp, quitApp } from '../../../scripts/launch.mjs'
import { startKeyring } from '../../../scripts/with-keyring.mjs'
import { startSampleService } from '../../../src/main/sample/service.ts'
import { recordContacts, refusedHere, SERVICE_HOST } from './contacts.ts'
import { useApp } from './use-app.ts'

const userData = process.argv[2] ?? ''
const contacts = await recordContacts()
const keyring = await startKeyring()
const service = await startSampleService({ websites: 12, rate: 0 })
const address = `http://${SERVICE_HOST}:${new URL(service.address).port}`

const { app, page } = await launchApp({ userData, env: keyring.env })
await useApp(app, page, { address, service })
const main = app.process()
await quitApp(app)
expect(main.exitCode).toBe(0)
const refused = refusedHere()
await service.close()
await keyring.stop()
console.log(JSON.stringify({ ...contacts, refused }))
process.exit(0)
