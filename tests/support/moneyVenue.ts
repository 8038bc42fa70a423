import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Minor } from '../../contract/brand.ts'
import { china } from '../../contract/phones.ts'
import { createDailyJobs } from '../../server/calendar/dailyJobs.ts'
import type { Database } from '../../server/db/open.ts'
import { member } from '../../server/db/schema/member.ts'
import { createFund } from '../../server/fund/fund.ts'
import { fundConfig } from '../../server/fund/fundConfig.ts'
import { createAudit } from '../../server/audit/audit.ts'
import { composeModules } from '../../server/module.ts'
import { createPasswordRequests } from '../../server/members/passwordRequests.ts'
import { createUploads } from '../../server/uploads/uploads.ts'
import { createVerifications } from '../../server/verification/verification.ts'
import { createPasswordGuard } from '../../server/members/passwordGuard.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { createWallet } from '../../server/wallet/wallet.ts'
import { bankAccount, bankMethod } from './payments.ts'
import { testFence } from './testFence.ts'
import type { MemberClient } from './apiCalls.ts'
import { openSmallVenue, zone } from './smallVenue.ts'

export const transactionPassword = '135790'

type MoneyVenueSettings = {
  /** Deposits wait for the back office, as real ones do; otherwise they are practice money, credited at once. */
  reviewed?: boolean
  fund?: z.input<typeof fundConfig>
  holidays?: readonly string[]
  venue?: Parameters<typeof openSmallVenue>[1]
  /** The key of another process of the same venue: what that one encrypted can be read here. */
  uploadKey?: Uint8Array
}

/** Every module that moves money on one database: ledger, orders, wallet and fund, with their routes and the fund's job. */
export async function openMoneyVenue(database: Database, settings: MoneyVenueSettings = {}) {
  const venue = await openSmallVenue(database, settings.venue)
  const { db, clock, random, bus, app, keys, ledger, business, limits, sessions } = venue
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-money-'))
  const uploadKey = settings.uploadKey ?? random.bytes(32)
  // Hashing is tested with the members module; here the stored text is the password.
  const passwords = {
    hash: async (text: string) => text,
    matches: async (stored: string | null, text: string) => stored === text,
  }
  const guard = createPasswordGuard({ db, clock, passwords })
  const messages = createMessages({ db, fence: testFence, clock, random, bus })
  const mode = settings.reviewed === true ? ('live' as const) : ('practice' as const)
  const shared = {
    db,
    fence: testFence,
    clock,
    random,
    business,
    bus,
    ledger,
    messages,
    idempotencyKeys: keys,
    guard,
    audit: createAudit({ db, clock }),
    secrets: { uploadKey },
    settings: {
      mode,
      currency: 'USD',
      zone,
      dataDir,
      uploadsFreeMinBytes: 0,
      operatorConfig: {
        depositMethods: [bankMethod],
        passwordSelfService: false,
        phoneRules: [china],
        rejectedPhotosKeptDays: 30,
        fund: z.parse(fundConfig, settings.fund ?? {}),
        holidays: [...(settings.holidays ?? [])],
      },
    },
  }
  const uploads = createUploads(shared)
  const wallet = createWallet({ ...shared, selfLimits: limits, uploads })
  const { phones } = venue.members
  const passwordRequests = createPasswordRequests({ ...shared, passwords, phones, sessions })
  const verifications = createVerifications({ ...shared, uploads })
  const fund = createFund({ ...shared, settings: { ...shared.settings, mode: 'practice' } })
  composeModules([uploads, wallet, verifications, limits, passwordRequests, fund]).mount(app)
  const jobs = createDailyJobs({
    clock,
    business,
    jobs: [fund.job],
    settings: { mode },
    report: (_message, error) => void venue.reportedErrors.push(error),
  })

  /** A member who may use every function: account bound, name verified. */
  const createVerifiedMember = async (available?: Minor): Promise<MemberClient> => {
    const client = await venue.createMember(available)
    await client.send('POST', '/withdrawal-account', bankAccount)
    await db
      .update(member)
      .set({ transactionPasswordHash: transactionPassword, verification: 'verified' })
      .where(eq(member.id, client.id))
    return client
  }
  return {
    ...venue,
    wallet,
    fund,
    jobs,
    uploadKey,
    createVerifiedMember,
    close: async (): Promise<void> => {
      await jobs.stop()
      await venue.trading.stop()
      await venue.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type MoneyVenue = Awaited<ReturnType<typeof openMoneyVenue>>
