import type { EditView } from '../../../src/shared/edit.ts'
import type { Website } from '../service/records.ts'

/** The request that the user was shown when they chose to use an existing website for a create. */
export interface Preview {
  website: Website
  /** The number of states that the website had at that time. */
  states: number
  /** The number of requests that had been sent before. */
  requests: number
  /** The local key of the website to be created. */
  key: string
  at: number
  form: EditView['request']['form']
}
