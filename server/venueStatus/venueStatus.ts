import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { VenueStatus } from '../../contract/venueConfig.ts'
import type { Db, WithinTransaction } from '../db/database.ts'
import { setting } from '../db/schema/setting.ts'
import type { Clock } from '../ports.ts'

/**
 * Whether the venue takes new orders at all. Maintenance of the whole site stops those alone: prices, accepted orders,
 * their settlement and withdrawals run on. It outlives a restart, and ends by itself at its `opensAt`.
 */
export type VenueStatusStore = {
  state(): VenueStatus
  /** Begins maintenance, or ends it; `within` runs in the transaction that keeps it. */
  setMaintenance(on: boolean, opensAt: number | null, within?: WithinTransaction): Promise<void>
  /** Told of each change, the one at `opensAt` too. */
  onChange(listener: (state: VenueStatus) => void): void
  stop(): void
}

const settingKey = 'site_maintenance'
const storedMaintenance = z.object({ on: z.boolean(), opensAt: z.nullable(z.int()) })
type StoredMaintenance = z.infer<typeof storedMaintenance>

/** Opens the site as an earlier run left it. */
export async function openVenueStatus({ db, clock }: { db: Db; clock: Clock }): Promise<VenueStatusStore> {
  let current = await readStored(db)
  let cancel = (): void => undefined
  const listeners: ((state: VenueStatus) => void)[] = []

  const state = (): VenueStatus =>
    current.on && (current.opensAt === null || clock.now() < current.opensAt)
      ? { status: 'maintenance', opensAt: current.opensAt }
      : { status: 'up', opensAt: null }
  const notifyListeners = (): void => {
    for (const listener of listeners) listener(state())
  }
  const scheduleOpening = (): void => {
    cancel()
    const { opensAt } = state()
    cancel = opensAt === null ? () => undefined : clock.at(opensAt, notifyListeners)
  }
  scheduleOpening()
  return {
    state,
    setMaintenance: async (on, opensAt, within) => {
      const value: StoredMaintenance = { on, opensAt: on ? opensAt : null }
      await db.transaction(async (tx) => {
        await tx
          .insert(setting)
          .values({ key: settingKey, value })
          .onConflictDoUpdate({ target: setting.key, set: { value } })
        await within?.(tx)
      })
      current = value
      scheduleOpening()
      notifyListeners()
    },
    onChange: (listener) => void listeners.push(listener),
    stop: () => cancel(),
  }
}

async function readStored(db: Db): Promise<StoredMaintenance> {
  const [row] = await db.select().from(setting).where(eq(setting.key, settingKey))
  const read = storedMaintenance.safeParse(row?.value)
  return read.success ? read.data : { on: false, opensAt: null }
}
