import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { SiteState } from '../../contract/site.ts'
import type { Db, Within } from '../db/database.ts'
import { setting } from '../db/schema/setting.ts'
import type { Clock } from '../ports.ts'

/**
 * Whether the venue takes new orders at all. Maintenance of the whole site stops those alone: prices, accepted orders,
 * their settlement and withdrawals run on. It outlives a restart, and ends by itself at its `opensAt`.
 */
export type Site = {
  state(): SiteState
  /** Begins maintenance, or ends it; `within` runs in the transaction that keeps it. */
  setMaintenance(on: boolean, opensAt: number | null, within?: Within): Promise<void>
  /** Told of each change, the one at `opensAt` too. */
  onChange(listener: (state: SiteState) => void): void
  stop(): void
}

const settingKey = 'site_maintenance'
const stored = z.object({ on: z.boolean(), opensAt: z.nullable(z.int()) })
type Stored = z.infer<typeof stored>

/** Opens the site as an earlier run left it. */
export async function openSite({ db, clock }: { db: Db; clock: Clock }): Promise<Site> {
  let kept = await storedState(db)
  let cancel = (): void => undefined
  const listeners: ((state: SiteState) => void)[] = []

  const state = (): SiteState =>
    kept.on && (kept.opensAt === null || clock.now() < kept.opensAt)
      ? { status: 'maintenance', opensAt: kept.opensAt }
      : { status: 'up', opensAt: null }
  const tell = (): void => {
    for (const listener of listeners) listener(state())
  }
  const arm = (): void => {
    cancel()
    const { opensAt } = state()
    cancel = opensAt === null ? () => undefined : clock.at(opensAt, tell)
  }
  arm()
  return {
    state,
    setMaintenance: async (on, opensAt, within) => {
      const value: Stored = { on, opensAt: on ? opensAt : null }
      await db.transaction(async (tx) => {
        await tx
          .insert(setting)
          .values({ key: settingKey, value })
          .onConflictDoUpdate({ target: setting.key, set: { value } })
        await within?.(tx)
      })
      kept = value
      arm()
      tell()
    },
    onChange: (listener) => void listeners.push(listener),
    stop: () => cancel(),
  }
}

async function storedState(db: Db): Promise<Stored> {
  const [row] = await db.select().from(setting).where(eq(setting.key, settingKey))
  const read = stored.safeParse(row?.value)
  return read.success ? read.data : { on: false, opensAt: null }
}
