// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- a setting of zod's, no schema: it's for this process alone
import { config } from 'zod'

// Zod tries whether code may be made from text; under our Content-Security-Policy the try alone is reported as a breach.
config({ jitless: true })
