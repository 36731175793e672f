import type { Server } from 'node:http'
import type { Fault } from '../faults.ts'

/** Every host in these tests accepts this API key. */
export const KEY = 'key-0123456789-abcdef'

/** Listens on a free port until the test ends. Returns the port. */
export type Listen = (server: Server) => Promise<number>

export interface Stored {
  id: string
  domain: string
  privacy: number
  /** An empty text means no password. */
  password: string
  email: boolean
  exclude_bots: boolean
  /** The text as it was sent, with one entry a line. */
  exclude_ips: string
  exclude_params: string
}

/** A host on which the client is tested, with access to its data. */
export interface TestHost {
  name: string
  address: string
  key: string
  next(...faults: Fault[]): void
  /** Returns the stored websites, oldest first. */
  all(): Stored[]
  add(domain: string): void
  remove(id: string): void
  /** Returns an error in the format of this host. */
  refusal(status: number, message: string): { status: number; body: string }
}
