import type { Bus } from '../cluster/bus.ts'
import { openNatsBus } from '../cluster/natsBus.ts'
import { afterTheLease } from '../db/afterTheLease.ts'
import type { Database } from '../db/database.ts'
import { openSharedDatabase } from '../db/open.ts'
import type { Report } from '../ports.ts'
import type { EngineSettings } from './messages.ts'

/** What the engine's thread writes to. A node that stands by is connected before it leads: a take-over must not wait for it. */
export type EngineConnections = {
  database: Database
  /** Null without other nodes. */
  bus: Bus | null
  close(): Promise<void>
}

export async function connectEngine(
  { database: address, bus: busAddress }: EngineSettings,
  report: Report,
): Promise<EngineConnections> {
  const database = openSharedDatabase(
    address,
    afterTheLease((error) => report('the database failed', error)),
  )
  try {
    const [bus] = await Promise.all([
      busAddress === null ? null : openNatsBus(busAddress, report),
      database.pool.query('SELECT 1'),
    ])
    return {
      database,
      bus,
      close: async () => {
        await database.close()
        await bus?.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
