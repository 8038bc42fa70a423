import { sql } from 'drizzle-orm'
import type { BusinessDay } from '../../../contract/time.ts'
import type { Db, WithinTransaction } from '../../platform/db/database.ts'
import { setting } from '../../platform/db/schema.ts'
import { readSetting } from '../../platform/db/settingValue.ts'
import { createZoneCalendar, type BusinessCalendar } from '../ledger/businessCalendar.ts'
import type { Clock } from '../../platform/ports.ts'
import type { SettingWatch } from '../../platform/settingWatch.ts'
import type { MoneySettings } from '../settings.ts'

/**
 * The only source of business time: the venue's clock plus an offset that only grows. Fund days, daily counts and caps,
 * delays of limits and dates use it; prices, orders, sessions and keys use the venue's clock.
 */
export type BusinessClock = BusinessCalendar & {
  /** How far the calendar is ahead of the venue's clock. */
  offsetMs(): number
  /** The current business instant. */
  now(): number
  today(): BusinessDay
  /** A business instant on the venue's clock, which every `…At` of the contract uses. */
  toVenue(businessInstant: number): number
  /**
   * Advances the calendar and stores the offset; `within` runs in the same transaction.
   * @throws RangeError if the calendar would move backwards
   */
  setOffset(offsetMs: number, within?: WithinTransaction): Promise<void>
  /** Reads the offset again at once; a change by another node is otherwise followed within a second. */
  reload(): Promise<void>
  /** Called at once with the offset, and with each later one. */
  onOffset(listener: (offsetMs: number) => void): void
}

const settingKey = 'business_offset_ms'

/** Opens the calendar with the stored offset. */
export async function openBusinessClock(parts: {
  db: Db
  clock: Pick<Clock, 'now'>
  settings: Pick<MoneySettings, 'zone'>
  settingWatch: SettingWatch
}): Promise<BusinessClock> {
  const { db, clock, settings, settingWatch } = parts
  let offset = await readOffset(db)
  const listeners: ((offsetMs: number) => void)[] = []
  const advanceTo = (stored: number): void => {
    if (stored <= offset) return
    offset = stored
    for (const listener of listeners) listener(offset)
  }
  settingWatch.follow(settingKey, (value) => advanceTo(toOffset(value)))
  const calendar = createZoneCalendar(settings.zone, () => offset)
  return {
    ...calendar,
    offsetMs: () => offset,
    now: () => clock.now() + offset,
    today: () => calendar.dayOf(clock.now()),
    toVenue: (instant) => instant - offset,
    setOffset: async (offsetMs, within) => {
      if (!Number.isSafeInteger(offsetMs) || offsetMs < offset)
        throw new RangeError('the business calendar cannot go back')
      await db.transaction(async (tx) => {
        await tx
          .insert(setting)
          .values({ key: settingKey, value: offsetMs })
          .onConflictDoUpdate({
            target: setting.key,
            // Another node may have moved it further meanwhile.
            set: { value: sql`greatest(${setting.value}, excluded.value)` },
          })
        await within?.(tx)
      })
      advanceTo(offsetMs)
    },
    reload: async () => advanceTo(await readOffset(db)),
    onOffset: (listener) => {
      listeners.push(listener)
      listener(offset)
    },
  }
}

async function readOffset(db: Db): Promise<number> {
  return toOffset(await readSetting(db, settingKey))
}

const toOffset = (value: unknown): number => (typeof value === 'number' ? value : 0)
