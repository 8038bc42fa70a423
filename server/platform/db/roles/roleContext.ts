import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool } from 'pg'

const inOffice = new AsyncLocalStorage<boolean>()

/** Runs work whose statements use the connections of the role `office`, where a database has roles. */
export const asOffice = <T>(work: () => Promise<T>): Promise<T> => inOffice.run(true, work)

/**
 * Runs work that belongs to no call of the office, also when one started it. Before the first call of the office nothing is
 * stored: from then on, Node follows every promise.
 */
export const asCalls = <T>(work: () => Promise<T>): Promise<T> =>
  inOffice.getStore() === undefined ? work() : inOffice.run(false, work)

/**
 * Takes the connections of a pool from another one for work that runs as the office, and if `calls` is given, from
 * that one for work that belongs to none of its calls.
 */
export function routeByRole(pool: Pool, { office, calls }: { office: Pool; calls?: Pool }): void {
  const [own, connectOffice, connectCalls] = [pool, office, calls ?? pool].map(
    (each) => each.connect.bind(each) as (...args: unknown[]) => unknown,
  )
  const routed = (...args: unknown[]): unknown => {
    const isOffice = inOffice.getStore()
    if (isOffice === undefined) return own?.(...args)
    return isOffice ? connectOffice?.(...args) : connectCalls?.(...args)
  }
  Object.assign(pool, { connect: routed })
}

/** Closes the connections of a pool that are idle now: later ones are opened as the pool's options then say. */
export async function renewConnections(pool: Pool): Promise<void> {
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()))
  for (const client of idle) client.release(true)
}
