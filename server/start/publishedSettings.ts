import { isDeepStrictEqual } from 'node:util'
import { desc } from 'drizzle-orm'
import type { Settings } from './config.ts'
import type { Db } from '../platform/db/database.ts'
import type { Fence } from '../platform/db/fence.ts'
import { operatorSetting } from '../platform/db/schema.ts'
import { publishedRatesOf, type PublishedRates } from '../money/index.ts'
import { readNewestWatermark } from '../market/index.ts'

/** What the operator has set and the database checks with, by its key in `operator_setting`. */
export type PublishedSettings = {
  four_eyes: {
    /** Money. Above it two persons decide about what is one member's, unless the staff has set another amount. */
    above: string
    /** Money. The same for all members together; null for ten times the other. */
    inAll: string | null
    /** Whether what takes two persons takes them even while one person works alone. */
    always: boolean
  }
  fund_rates: PublishedRates
  /** Whether a member's new password takes effect without the office. */
  passwords: { selfService: boolean }
}

export const publishedSettingsOf = (
  settings: Pick<Settings, 'fourEyes' | 'operatorConfig' | 'mode' | 'zone'>,
): PublishedSettings => ({
  four_eyes: {
    above: settings.operatorConfig.fourEyesAbove,
    inAll: settings.operatorConfig.fourEyesAboveInAll ?? null,
    always: settings.fourEyes === 'on',
  },
  fund_rates: publishedRatesOf(settings),
  passwords: { selfService: settings.operatorConfig.passwordSelfService },
})

/** Stores, as the leader's engine, what differs from what is in force: it applies from `now` on. */
export async function publishSettings(
  { db, fence, now }: { db: Db; fence: Fence; now: number },
  published: PublishedSettings,
): Promise<void> {
  const rows = await db
    .selectDistinctOn([operatorSetting.key])
    .from(operatorSetting)
    .orderBy(operatorSetting.key, desc(operatorSetting.sinceAt))
  const inForce = new Map(rows.map((row) => [row.key, row]))
  const changed = Object.entries(published).filter(
    ([key, value]) => !isDeepStrictEqual(inForce.get(key)?.value, value),
  )
  if (changed.length === 0) return
  const from = Math.max(now, await readNewestWatermark(db))
  await fence.transaction(db, (tx) =>
    tx.insert(operatorSetting).values(
      changed.map(([key, value]) => ({
        key,
        sinceAt: Math.max(from, (inForce.get(key)?.sinceAt ?? 0) + 1),
        value,
      })),
    ),
  )
}
