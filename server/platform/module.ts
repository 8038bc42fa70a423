import type { ClockCheck } from './cluster/clockCheck.ts'
import type { FastifyInstance } from 'fastify'
import type { Database } from './db/database.ts'
import type { Fence } from './db/fence.ts'
import type { Job } from './jobs.ts'
import type { Clock, Cluster, MemberBus, Random, Report } from './ports.ts'
import type { Secrets } from './secrets.ts'

/** A part of the venue: its routes, what it starts and stops, and its recurring jobs. */
export type Module = {
  mount?(app: FastifyInstance): void
  /**
   * Resumes the work that the leader before left. Called before the first request is served, and on a node of several
   * when it begins to lead.
   */
  start?(): Promise<void>
  /** Finishes the work in progress. */
  stop?(): void | Promise<void>
  jobs?: readonly Job[]
}

/** What all modules are built on and the platform has. A test passes its own clock, database and so on. */
export type Core = {
  database: Pick<Database, 'db' | 'pool'>
  /** Guards everything that only the leader may do. */
  fence: Fence
  clock: Clock
  random: Random
  bus: MemberBus
  /** The other nodes; null if there are none. */
  cluster: Cluster | null
  /** Default: the database has the clock of this machine. */
  clockCheck?: ClockCheck | null
  secrets: Secrets
  report: Report
}

/** Several modules as one: mounted and started in their order, stopped in the reverse order. */
export function composeModules(modules: readonly Module[]): Required<Module> {
  return {
    mount: (app) => {
      for (const module of modules) module.mount?.(app)
    },
    start: async () => {
      for (const module of modules) await module.start?.()
    },
    stop: async () => {
      for (const module of modules.toReversed()) await module.stop?.()
    },
    jobs: modules.flatMap(({ jobs = [] }) => jobs),
  }
}
