import { randomUUID } from 'node:crypto'

/**
 * A UUID that begins with the time (RFC 9562, version 7): rows that came one after another lie beside each other in a
 * file, and a page of the list is read by few of its pages. Nothing is ordered by it.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
