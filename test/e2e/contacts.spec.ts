import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { projectNode } from '../../scripts/setup/project.mjs'
import { expect, test } from './support/app.ts'
import { SERVICE_HOST, type Contacts } from './support/contacts.ts'

test.skip(process.platform !== 'linux', 'Only Linux has network namespaces')

/** Sets up a network namespace in which all DNS queries and addresses lead back to it, and starts the driver. */
const SET_UP = `set -e
ip link set lo up
ip route add local default dev lo
if [ -e /proc/net/if_inet6 ]; then ip -6 route add local default dev lo; fi
printf 'nameserver 127.0.0.1\\n' > "$1/resolv.conf"
mount --bind "$1/resolv.conf" /etc/resolv.conf
exec "$2" "$3" "$1"`

test('from start to quit, the app looks up and contacts only the service', async ({ userData }) => {
  const asUser = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const driver = join(import.meta.dirname, 'support/in-namespace.ts')
  const args = [...asUser, '--net', '--mount', 'sh', '-c', SET_UP, 'sh', userData, projectNode, driver]
  const inside = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const [found, errors] = await Promise.all([text(inside.stdout), text(inside.stderr), once(inside, 'exit')])
  // The test needs network namespaces; unshare says "Operation not permitted" if the system forbids them.
  expect(inside.exitCode, errors).toBe(0)
  const { names, sent, refused } = JSON.parse(found) as Contacts
  expect(new Set(names)).toEqual(new Set([SERVICE_HOST]))
  expect(sent).toEqual([])
  expect(refused).toEqual([])
})
