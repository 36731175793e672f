import { expect, test } from 'vitest'
import { forRestart } from '../../../src/main/shell/start-arguments.ts'

test('the next start has what this one was given, but for what was its own: hidden, after a crash, a link that was followed', () => {
  const given = [
    '/src/siteward',
    '--hidden',
    '--lang=de',
    'siteward://website/a.example',
    'SITEWARD://add',
    '--after-crash',
  ]
  expect(forRestart(given)).toEqual(['/src/siteward', '--lang=de'])
})
