import { expect as original } from '@playwright/test'

/** In milliseconds. Playwright's own intervals grow to a second, which is longer than most waits of these tests. */
const INTERVALS = [50, 100]

const poll: typeof original.poll = (actual, options) =>
  original.poll(actual, { intervals: INTERVALS, ...(typeof options === 'string' ? { message: options } : options) })

export const expect = new Proxy(original, {
  get: (target, name, receiver) => (name === 'poll' ? poll : (Reflect.get(target, name, receiver) as unknown)),
})
