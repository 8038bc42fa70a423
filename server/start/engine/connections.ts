import type { Bus } from '../../platform/cluster/bus.ts'
import { openBus, type OpenBusParts } from '../../platform/cluster/openBus.ts'
import { afterTheLease } from '../../platform/db/afterTheLease.ts'
import type { Database } from '../../platform/db/database.ts'
import { openSharedDatabase } from '../../platform/db/open.ts'
import type { EngineSettings } from './messages.ts'

/**
 * What the engine's thread writes to. A standby node is connected before it leads: a take-over must not wait for it.
 */
export type EngineConnections = {
  database: Database
  /** Null without other nodes. */
  bus: Bus | null
  close(): Promise<void>
}

export async function connectEngine(
  { database: address, bus: busAddress }: EngineSettings,
  busParts: OpenBusParts,
): Promise<EngineConnections> {
  const { report } = busParts
  const database = openSharedDatabase(
    address,
    afterTheLease((error) => report('the database failed', error)),
  )
  try {
    const [bus] = await Promise.all([
      busAddress === null ? null : openBus(busAddress, busParts),
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
