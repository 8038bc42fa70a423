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
  /** Held by the standing job. */
  fence: Fence
  clock: Pick<Clock, 'now'>
  business: BusinessClock
  random: Random
  ledger: Ledger
  bus: MemberBus
  messages: Messages
  settings: FundSettings
}

/** What a change of a member's fund came to, and what is told once it is committed. */
export type FundChange<T> = { answer: T; afterCommit: () => void }

/** What the fund's own files work with. */
export type FundContext = FundParts & { rates: Rates; holds: Holds; lockAndRoll: LockAndRoll }
/** A locked share, brought up to `today`; `now` is the business instant at which everything else is judged. */
export type RolledAccount = DayRoll & { now: number; today: BusinessDay; notify: () => void }
export type LockAndRoll = (tx: DbTransaction, memberId: string) => Promise<RolledAccount>
