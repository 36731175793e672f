import { expect, test } from 'vitest'
import { restartArguments } from '../../../src/main/shell/start-arguments.ts'

test('restarts with the same arguments, except --hidden, --after-crash and the link', () => {
  const given = [
    '/src/siteward',
    '--hidden',
    '--lang=de',
    'siteward://website/a.example',
    'SITEWARD://add',
    '--after-crash',
  ]
  expect(restartArguments(given)).toEqual(['/src/siteward', '--lang=de'])
})
