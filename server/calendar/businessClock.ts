import { eq } from 'drizzle-orm'
import type { BusinessDay } from '../../contract/time.ts'
import type { Settings } from '../config.ts'
import type { Db, WithinTransaction } from '../db/database.ts'
import { setting } from '../db/schema/setting.ts'
import { createZoneCalendar } from '../ledger/businessCalendar.ts'
import type { BusinessCalendar } from '../ledger/businessCalendar.ts'
import type { Clock } from '../ports.ts'

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
   * @throws RangeError if the calendar would go back
   */
  setOffset(offsetMs: number, within?: WithinTransaction): Promise<void>
  /** Reads the offset again, in case another process moved it. */
  reload(): Promise<void>
}

const settingKey = 'business_offset_ms'

/** Opens the calendar with the stored offset. */
export async function openBusinessClock(parts: {
  db: Db
  clock: Pick<Clock, 'now'>
  settings: Pick<Settings, 'zone'>
  /** Called with the stored offset, and with each later one. */
  onOffset?: (offsetMs: number) => void
}): Promise<BusinessClock> {
  const { db, clock, settings, onOffset } = parts
  let offset = await readOffset(db)
  onOffset?.(offset)
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
          .onConflictDoUpdate({ target: setting.key, set: { value: offsetMs } })
        await within?.(tx)
      })
      offset = offsetMs
      onOffset?.(offset)
    },
    reload: async () => {
      offset = Math.max(offset, await readOffset(db))
      onOffset?.(offset)
    },
  }
}

async function readOffset(db: Db): Promise<number> {
  const [row] = await db.select().from(setting).where(eq(setting.key, settingKey))
  return typeof row?.value === 'number' ? row.value : 0
}
