import type { Server } from 'node:http'
import type { Fault } from '../faults.ts'

/** The API key that every host of these tests accepts. */
export const KEY = 'key-0123456789-abcdef'

/** Listens on a free port of this machine until the test ends. Returns the port. */
export type Listen = (server: Server) => Promise<number>

/** A website as a host stores it. */
export interface Stored {
  id: string
  domain: string
  privacy: number
  /** An empty text means no password. */
  password: string
  email: boolean
  exclude_bots: boolean
  /** The text that was sent, with one entry a line. */
  exclude_ips: string
  exclude_params: string
}

/** A host that the client is tested against, with access to its data. */
export interface TestHost {
  name: string
  address: string
  key: string
  /** Queues faults for the next requests. */
  next(...faults: Fault[]): void
  /** Returns the stored websites in the order in which they were added. */
  all(): Stored[]
  /** Adds a website, as another client would. */
  add(domain: string): void
  remove(id: string): void
  /** Returns an error in this host's shape. */
  refusal(status: number, message: string): { status: number; body: string }
}
