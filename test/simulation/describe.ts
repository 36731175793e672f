import type { Sent } from './service/network.ts'
import { latest, type Website } from './service/records.ts'
import type { World } from './world/world.ts'

export function describeWorld(world: World): string {
  const { service, network, app } = world
  const events = [
    ...network.sent.map((sent) => ({ at: sent.at, text: requestLine(sent) })),
    ...service.websites.flatMap(websiteLines),
    ...world.log.map(({ at, text }) => ({ at, text: `    ${text}` })),
  ].toSorted((a, b) => a.at - b.at)
  return [
    JSON.stringify(service.quirks),
    ...events.map(({ at, text }) => `${Math.round(at)} ${text}`),
    'waits:',
    ...app
      .edits()
      .map(
        (edit) => `  ${edit.domain} ${edit.kind} ${edit.state} ${String(edit.reason)} ${JSON.stringify(edit.settings)}`,
      ),
    'history, the latest first:',
    ...app.history().map((past) => `  ${past.domain} ${past.kind} ${past.became} ${JSON.stringify(past.settings)}`),
    'the service has:',
    ...service.websites.map(
      (website) =>
        `  ${website.domain} ${website.number} ${website.deleted === null ? '' : 'deleted'} ${JSON.stringify(latest(website).fields)}`,
    ),
  ].join('\n')
}

function requestLine({ n, by, method, path, query, body, fault, handledAt, handledWith, endedAt }: Sent): string {
  const went = fault === null ? '' : JSON.stringify(fault)
  const handled = handledAt === null ? 'never arrived' : `${String(handledWith)} at ${Math.round(handledAt)}`
  return `#${n} ${by} ${method} ${path} ${query}${body} ${went} ${handled}, ended ${String(endedAt)}`
}

function websiteLines({ domain, number, states, deleted }: Website): { at: number; text: string }[] {
  const written = states
    .filter(({ by }) => by === 'remote')
    .map(({ at, carried, fields }) => ({
      at,
      text: `remote ${domain} ${number}: ${carried.join()} ${JSON.stringify(fields)}`,
    }))
  return deleted === null
    ? written
    : [...written, { at: deleted.at, text: `${domain} ${number} deleted by ${deleted.by}` }]
}
