import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Minor } from '../../contract/brand.ts'
import { china } from '../../contract/phones.ts'
import { createStandingJobs } from '../../server/calendar/standingJobs.ts'
import type { Database } from '../../server/db/open.ts'
import { member } from '../../server/db/schema/member.ts'
import { createFund } from '../../server/fund/fund.ts'
import { fundConfig } from '../../server/fund/fundConfig.ts'
import { mountFund } from '../../server/fund/mountFund.ts'
import { createPasswordGuard } from '../../server/members/passwordGuard.ts'
import { createMessages } from '../../server/messages/messages.ts'
import { createWallet } from '../../server/wallet/wallet.ts'
import { openHouse, zone } from './house.ts'
import type { Guest } from './house.ts'
import { bankAccount, bankMethod } from './walletHouse.ts'
import { testFence } from './fence.ts'

export const transactionPassword = '135790'

type MoneySettings = {
  /** Deposits wait for the desk, as real ones do; else they are practice money and come at once. */
  reviewed?: boolean
  fund?: z.input<typeof fundConfig>
  holidays?: readonly string[]
  house?: Parameters<typeof openHouse>[1]
  /** Of another process of the same venue: what it sealed can be read here. */
  uploadKey?: Uint8Array
}

/** Every room that moves money on one database: ledger, orders, wallet and fund, with their calls and the fund's job. */
export async function openMoneyHouse(database: Database, settings: MoneySettings = {}) {
  const house = await openHouse(database, settings.house)
  const { db, clock, random, bus, app, keys, ledger, business, limits, sessions } = house
  const dataDir = await mkdtemp(join(tmpdir(), 'uptick-money-'))
  const uploadKey = settings.uploadKey ?? random.bytes(32)
  // Hashing is the members' business; here the stored text is the password.
  const passwords = {
    hash: async (text: string) => text,
    matches: async (stored: string | null, text: string) => stored === text,
  }
  const guard = createPasswordGuard({ db, clock, passwords })
  const messages = createMessages({ db, clock, random, bus })
  const practice = settings.reviewed !== true
  const shared = { db, fence: testFence, clock, random, business, bus, ledger, messages }
  const wallet = createWallet({
    ...shared,
    keys,
    limits,
    sessions,
    passwords,
    guard,
    memberSecret: house.secret,
    uploadKey,
    dataDir,
    settings: {
      practice,
      currency: 'USD',
      depositMethods: [bankMethod],
      passwordSelfService: false,
      phoneRules: [china],
      rejectedPhotosKeptDays: 30,
      uploadsFreeMinBytes: 0,
    },
  })
  wallet.mount(app)
  const fundRules = { ...z.parse(fundConfig, settings.fund ?? {}), zone, practice: true }
  const fund = createFund({
    ...shared,
    settings: { ...fundRules, holidays: new Set(settings.holidays) },
  })
  mountFund(app, { db, keys, fund, guard })
  const jobs = createStandingJobs({
    clock,
    business,
    jobs: [fund.job],
    practice,
    onFault: (_room, error) => void house.faults.push(error),
  })

  /** A member who may do everything with money: account bound, name verified. */
  const enrol = async (available?: Minor): Promise<Guest> => {
    const guest = await house.join(available)
    await guest.send('POST', '/withdrawal-account', bankAccount)
    await db
      .update(member)
      .set({ transactionPasswordHash: transactionPassword, verification: 'verified' })
      .where(eq(member.id, guest.id))
    return guest
  }
  return {
    ...house,
    wallet,
    fund,
    jobs,
    uploadKey,
    enrol,
    close: async (): Promise<void> => {
      await jobs.stop()
      await house.trading.stop()
      await house.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
export type MoneyHouse = Awaited<ReturnType<typeof openMoneyHouse>>
