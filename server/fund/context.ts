import type { BusinessDay } from '../../contract/time.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../db/database.ts'
import type { Fence } from '../db/fence.ts'
import type { Holds } from '../ledger/holds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Messages } from '../messages/messages.ts'
import type { Clock, MemberBus, Random } from '../ports.ts'
import type { DayRoll } from './dayRoll.ts'
import type { FundConfig } from './fundConfig.ts'
import type { Rates } from './rates.ts'

export type FundSettings = FundConfig & {
  zone: string
  holidays: ReadonlySet<BusinessDay>
  practice: boolean
}

export type FundParts = {
  db: Db
  /** Used by the daily job. */
  fence: Fence
  clock: Pick<Clock, 'now'>
  business: BusinessClock
  random: Random
  ledger: Ledger
  bus: MemberBus
  messages: Messages
  settings: FundSettings
}

/** The answer to a change of a member's fund, and what to publish after the commit. */
export type FundChange<T> = { answer: T; afterCommit: () => void }

/** The dependencies of the fund's own files. */
export type FundContext = FundParts & { rates: Rates; holds: Holds; lockAndRoll: LockAndRoll }
/** A locked account, rolled to `today`; `now` is the business time for all other decisions. */
export type RolledAccount = DayRoll & { now: number; today: BusinessDay; notify: () => void }
export type LockAndRoll = (tx: DbTransaction, memberId: string) => Promise<RolledAccount>
