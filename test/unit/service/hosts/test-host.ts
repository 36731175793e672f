import type { Server } from 'node:http'
import type { Fault } from '../faults.ts'

/** What every host of these tests takes. */
export const KEY = 'key-0123456789-abcdef'

/** Listens on a free port of this machine for as long as the test goes on; answers with the port. */
export type Listen = (server: Server) => Promise<number>

/** A website as a host has it, whatever it shows of it. */
export interface Stored {
  id: string
  domain: string
  privacy: number
  /** Empty: none. */
  password: string
  email: boolean
  exclude_bots: boolean
  /** As it was sent: one entry a line. */
  exclude_ips: string
  exclude_params: string
}

/** A host that the whole client is tried against, seen from behind. */
export interface TestHost {
  name: string
  address: string
  key: string
  /** What goes wrong with the next requests. */
  next(...faults: Fault[]): void
  /** What it really has, in the order in which it was added. */
  all(): Stored[]
  /** As another client would. */
  add(domain: string): void
  remove(id: string): void
  /** How it refuses something, in its own words and shape. */
  refusal(status: number, words: string): { status: number; body: string }
}
