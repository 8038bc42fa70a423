import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Minor } from '../../contract/brand.ts'
import type { Fund as FundView } from '../../contract/fund.ts'
import { openBusinessClock } from '../../server/calendar/businessClock.ts'
import { createStandingJobs } from '../../server/calendar/standingJobs.ts'
import type { Database } from '../../server/db/open.ts'
import { balance } from '../../server/db/schema/ledger.ts'
import { member } from '../../server/db/schema/member.ts'
import type { Fence } from '../../server/db/fence.ts'
import { createFund } from '../../server/fund/fund.ts'
import { fundConfig } from '../../server/fund/fundConfig.ts'
import { mountFund } from '../../server/fund/mountFund.ts'
import { createLedger } from '../../server/ledger/ledger.ts'
import { createPasswordGuard } from '../../server/members/passwordGuard.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { guest as asGuest, openHouse, zone } from './house.ts'
import type { Guest } from './house.ts'
import { testFence } from './fence.ts'

export const transactionPassword = '135790'
export const days = (count: number): number => count * 86_400_000
export const hours = (count: number): number => count * 3_600_000

type FundHouseSettings = {
  fund?: z.input<typeof fundConfig>
  holidays?: readonly string[]
  practice?: boolean
  startAt?: number
  fence?: Fence
}

/** The fund with its calls, jobs and calendar, in a house on one test database; its clock starts on a Monday, 10:00. */
export async function openFundHouse(database: Database, settings: FundHouseSettings = {}) {
  const house = await openHouse(database)
  const { db, clock, random, bus, app, keys } = house
  if (settings.startAt !== undefined) await clock.advanceTo(settings.startAt)
  const business = await openBusinessClock({ db, clock, zone })
  const ledger = createLedger({ db, clock, calendar: business, bus })
  const messages = createMessages({ db, clock, random, bus })
  const practice = settings.practice ?? true
  const fund = createFund({
    db,
    fence: settings.fence ?? testFence,
    clock,
    business,
    random,
    ledger,
    bus,
    messages,
    settings: {
      ...z.parse(fundConfig, settings.fund ?? {}),
      zone,
      holidays: new Set(settings.holidays),
      practice,
    },
  })
  // Hashing is the members' business; here the stored text is the password.
  const passwords = {
    hash: async (text: string) => text,
    matches: async (stored: string | null, text: string) => stored === text,
  }
  const guard = createPasswordGuard({ db, clock, passwords })
  mountFund(app, { db, keys, fund, guard })
  const faults: unknown[] = []
  const newJobs = () =>
    createStandingJobs({
      clock,
      business,
      jobs: [fund.job],
      practice,
      onFault: (_room, error) => void faults.push(error),
    })
  const jobs = newJobs()

  const join = async (available?: Minor) => {
    const first = await house.join(available)
    let now = { guest: first, at: clock.now() }
    /** These members come back after days: by then with a new session. */
    const live = async (): Promise<Guest> => {
      if (clock.now() - now.at > hours(12)) {
        const { sid, token } = await house.sessions.open(first.id, { device: 'Test', ip: '127.0.0.1' })
        now = { guest: asGuest(app, random, first.id, sid, token), at: clock.now() }
      }
      return now.guest
    }
    const guest: Pick<Guest, 'id' | 'get' | 'post'> = {
      id: first.id,
      get: async (path) => (await live()).get(path),
      post: async (path, body, key) => (await live()).post(path, body, key),
    }
    await db
      .update(member)
      .set({ transactionPasswordHash: transactionPassword })
      .where(eq(member.id, guest.id))
    return {
      ...guest,
      view: async () => (await guest.get<FundView>('/fund')).body,
      put: (amount: string, key?: string) => guest.post('/fund/deposits', { amount }, key),
      take: (amount: string, mode: 'fast' | 'standard' = 'fast', password = transactionPassword) =>
        guest.post('/fund/withdrawals', { amount, mode, transactionPassword: password }),
      balance: async () => {
        const [row] = await db.select().from(balance).where(eq(balance.memberId, guest.id))
        if (!row) throw new Error('no balance')
        return row
      },
    }
  }
  return { ...house, business, ledger, messages, fund, guard, jobs, newJobs, faults, join }
}
export type FundHouse = Awaited<ReturnType<typeof openFundHouse>>
