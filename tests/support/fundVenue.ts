import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Minor } from '../../contract/brand.ts'
import type { Fund as FundView } from '../../contract/fund.ts'
import { openBusinessClock } from '../../server/calendar/businessClock.ts'
import { createDailyJobs } from '../../server/calendar/dailyJobs.ts'
import type { Database } from '../../server/db/open.ts'
import { balance } from '../../server/db/schema/ledger.ts'
import { member } from '../../server/db/schema/member.ts'
import type { Fence } from '../../server/db/fence.ts'
import { createFund } from '../../server/fund/fund.ts'
import { fundConfig } from '../../server/fund/fundConfig.ts'
import { composeModules } from '../../server/module.ts'
import { createLedger } from '../../server/ledger/ledger.ts'
import { createPasswordGuard } from '../../server/members/passwordGuard.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { memberClient as newMemberClient } from './apiCalls.ts'
import { testFence } from './testFence.ts'
import type { MemberClient } from './apiCalls.ts'
import { openSmallVenue, practiceBalance, zone } from './smallVenue.ts'

export const transactionPassword = '135790'
export const daysMs = (count: number): number => count * 86_400_000
export const hoursMs = (count: number): number => count * 3_600_000

type FundVenueSettings = {
  fund?: z.input<typeof fundConfig>
  holidays?: readonly string[]
  practice?: boolean
  startAt?: number
  fence?: Fence
  seed?: number
}

/** The fund with its routes, jobs and calendar, on one test database; the clock starts on a Monday at 10:00. */
export async function openFundVenue(database: Database, settings: FundVenueSettings = {}) {
  const venue = await openSmallVenue(database, settings.seed === undefined ? {} : { seed: settings.seed })
  const { db, clock, random, bus, app, keys } = venue
  if (settings.startAt !== undefined) await clock.advanceTo(settings.startAt)
  const business = await openBusinessClock({ db, clock, settings: { zone } })
  const mode = settings.practice === false ? ('live' as const) : ('practice' as const)
  const fence = settings.fence ?? testFence
  const ledger = createLedger({
    db,
    clock,
    business,
    bus,
    idempotencyKeys: keys,
    settings: { mode, practiceBalance },
  })
  const messages = createMessages({ db, fence, clock, random, bus })
  // Hashing is tested with the members module; here the stored text is the password.
  const passwords = {
    hash: async (text: string) => text,
    matches: async (stored: string | null, text: string) => stored === text,
  }
  const guard = createPasswordGuard({ db, clock, passwords })
  const fund = createFund({
    db,
    fence,
    clock,
    business,
    random,
    ledger,
    bus,
    messages,
    idempotencyKeys: keys,
    guard,
    settings: {
      mode,
      zone,
      operatorConfig: {
        fund: z.parse(fundConfig, settings.fund ?? {}),
        holidays: [...(settings.holidays ?? [])],
      },
    },
  })
  composeModules([fund]).mount(app)
  const reportedErrors: unknown[] = []
  const createJobs = () =>
    createDailyJobs({
      clock,
      business,
      jobs: [fund.job],
      settings: { mode },
      report: (_message, error) => void reportedErrors.push(error),
    })
  const jobs = createJobs()

  const createMember = async (available?: Minor) => {
    const first = await venue.createMember(available)
    let current = { guest: first, at: clock.now() }
    /** Tests let days pass, so a member gets a new session before the old one expires. */
    const currentClient = async (): Promise<MemberClient> => {
      if (clock.now() - current.at > hoursMs(12)) {
        const { sid, token } = await venue.sessions.open(first.id, { device: 'Test', ip: '127.0.0.1' })
        current = { guest: newMemberClient(app, random, { id: first.id, sid, token }), at: clock.now() }
      }
      return current.guest
    }
    const client: Pick<MemberClient, 'id' | 'get' | 'post'> = {
      id: first.id,
      get: async (path) => (await currentClient()).get(path),
      post: async (path, body, key) => (await currentClient()).post(path, body, key),
    }
    await db
      .update(member)
      .set({ transactionPasswordHash: transactionPassword })
      .where(eq(member.id, client.id))
    return {
      ...client,
      view: async () => (await client.get<FundView>('/fund')).body,
      deposit: (amount: string, key?: string) => client.post('/fund/deposits', { amount }, key),
      withdraw: (amount: string, mode: 'fast' | 'standard' = 'fast', password = transactionPassword) =>
        client.post('/fund/withdrawals', { amount, mode, transactionPassword: password }),
      balance: async () => {
        const [row] = await db.select().from(balance).where(eq(balance.memberId, client.id))
        if (!row) throw new Error('no balance')
        return row
      },
    }
  }
  return { ...venue, business, ledger, messages, fund, guard, jobs, createJobs, reportedErrors, createMember }
}
export type FundVenue = Awaited<ReturnType<typeof openFundVenue>>
