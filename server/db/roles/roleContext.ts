import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool } from 'pg'

const inOffice = new AsyncLocalStorage<boolean>()

/** Runs work whose statements use the connections of the role `office`, where a database has roles. */
export const asOffice = <T>(work: () => Promise<T>): Promise<T> => inOffice.run(true, work)

/** Runs work that belongs to no call of the back office, whoever started it. */
export const asCalls = <T>(work: () => Promise<T>): Promise<T> => inOffice.run(false, work)

/** Takes the connections of a pool from another one for work that runs as the back office. */
export function routeToOffice(pool: Pool, office: Pool): void {
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  const connectOffice = office.connect.bind(office) as (...args: unknown[]) => unknown
  const routed = (...args: unknown[]): unknown =>
    inOffice.getStore() === true ? connectOffice(...args) : connect(...args)
  Object.assign(pool, { connect: routed })
}

/** Closes the connections of a pool that are idle now: later ones are opened as the pool's options then say. */
export async function renewConnections(pool: Pool): Promise<void> {
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()))
  for (const client of idle) client.release(true)
}
