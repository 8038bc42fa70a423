import type { BusinessDay } from '../../../contract/time.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Db, DbTransaction } from '../../platform/db/database.ts'
import type { Holds } from '../ledger/holds.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Messages } from '../../notices/index.ts'
import type { Clock, MemberBus, Random } from '../../platform/ports.ts'
import type { DayRoll } from './dayRoll.ts'
import type { FundSettings } from './fundSettings.ts'
import type { Rates } from './rates.ts'

/** The dependencies of the fund's own files. */
export type FundContext = {
  db: Db
  clock: Pick<Clock, 'now'>
  business: BusinessClock
  random: Random
  ledger: Ledger
  bus: MemberBus
  messages: Pick<Messages, 'send'>
  settings: FundSettings
  rates: Rates
  holds: Holds
  lockAndRoll: LockAndRoll
}
/** A locked account, rolled to `today`; `now` is the business time for all other decisions. */
export type RolledAccount = DayRoll & { now: number; today: BusinessDay; notify: () => void }
export type LockAndRoll = (tx: DbTransaction, memberId: string) => Promise<RolledAccount>
