import type { ActLog, Messages, Uploads } from '../../notices/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Clock, MemberBus, Random } from '../../platform/ports.ts'
import type { BusinessClock } from '../calendar/businessClock.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { SelfLimitPolicy } from '../selfLimits/selfLimits.ts'
import type { DepositMethods } from './depositMethods.ts'
import type { RequestLimitSettings } from './requestLimits.ts'

export type DepositsParts = {
  db: Db
  clock: Pick<Clock, 'now'>
  random: Random
  business: Pick<BusinessClock, 'today'>
  bus: MemberBus
  ledger: Ledger
  selfLimits: SelfLimitPolicy
  uploads: Pick<Uploads, 'use'>
  actLog: ActLog
  messages: Pick<Messages, 'send'>
  methods: DepositMethods
  settings: RequestLimitSettings
}
