import * as z from 'zod/mini'
import { epochMs } from '../../../contract/units.ts'
import type { VenueStatus } from '../../../contract/venueConfig.ts'
import type { Db, WithinTransaction } from '../../platform/db/database.ts'
import { readSetting, writeSetting } from '../../platform/db/settingValue.ts'
import type { Module } from '../../platform/module.ts'
import type { Clock } from '../../platform/ports.ts'
import type { SettingWatch } from '../../platform/settingWatch.ts'

/**
 * Whether the venue accepts new orders. Maintenance of the whole venue stops only those: prices, accepted orders, their
 * settlement and withdrawals continue. It survives a restart, ends automatically at its `opensAt`, and follows a change by
 * another node within a second.
 */
export type VenueStatusStore = {
  state(): VenueStatus
  /** Starts or ends maintenance; `within` runs in the transaction that stores it. */
  setMaintenance(on: boolean, opensAt: number | null, within?: WithinTransaction): Promise<void>
  /** Called on each change, including the one at `opensAt`. */
  onChange(listener: (state: VenueStatus) => void): void
  stop(): void
}

const settingKey = 'site_maintenance'
const storedMaintenance = z.object({ on: z.boolean(), opensAt: z.nullable(z.int()) })
type StoredMaintenance = z.infer<typeof storedMaintenance>

/** Restores the status stored by an earlier run. */
export async function openVenueStatus({
  db,
  clock,
  settingWatch,
}: {
  db: Db
  clock: Clock
  settingWatch: SettingWatch
}): Promise<VenueStatusStore & Module> {
  let current = await readStored(db)
  let cancel = (): void => undefined
  const listeners: ((state: VenueStatus) => void)[] = []

  const state = (): VenueStatus =>
    current.on && (current.opensAt === null || clock.now() < current.opensAt)
      ? { status: 'maintenance', opensAt: epochMs(current.opensAt) }
      : { status: 'up', opensAt: null }
  const notifyListeners = (): void => {
    for (const listener of listeners) listener(state())
  }
  const scheduleOpening = (): void => {
    cancel()
    const { opensAt } = state()
    cancel = opensAt === null ? () => undefined : clock.at(opensAt, notifyListeners)
  }
  const apply = (value: StoredMaintenance): void => {
    current = value
    scheduleOpening()
    notifyListeners()
  }
  scheduleOpening()
  settingWatch.follow(settingKey, (value) => {
    const stored = toMaintenance(value)
    if (stored.on !== current.on || stored.opensAt !== current.opensAt) apply(stored)
  })
  return {
    state,
    setMaintenance: async (on, opensAt, within) => {
      const value: StoredMaintenance = { on, opensAt: on ? opensAt : null }
      await db.transaction(async (tx) => {
        await writeSetting(tx, settingKey, value)
        await within?.(tx)
      })
      settingWatch.onStored()
      apply(value)
    },
    onChange: (listener) => void listeners.push(listener),
    stop: () => cancel(),
  }
}

async function readStored(db: Db): Promise<StoredMaintenance> {
  return toMaintenance(await readSetting(db, settingKey))
}

function toMaintenance(value: unknown): StoredMaintenance {
  const parsed = storedMaintenance.safeParse(value)
  return parsed.success ? parsed.data : { on: false, opensAt: null }
}
