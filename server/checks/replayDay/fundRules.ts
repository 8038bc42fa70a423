import { depositDates, nextTradingDay } from '../../../contract/fund.ts'
import {
  afterConfirmation,
  afterDeposit,
  afterEarning,
  afterPayment,
  afterWithdrawal,
  emptyFundAccount,
  hasMoney,
  type FundAccount,
} from '../../../contract/fundAccount.ts'
import { addDays, type BusinessDay } from '../../../contract/time.ts'

/** A member's transfer into or out of the fund, on the business day `madeOn`; `now` is the business instant. */
export type FundCommand = { id: string; amount: number; madeOn: BusinessDay; now: number } & (
  | { kind: 'deposit' }
  | { kind: 'withdrawal'; mode: 'fast' | 'standard' }
)
export type FundRules = {
  zone: string
  holidays: ReadonlySet<BusinessDay>
  /** The rate of a day in ten-thousandths; undefined if none was recorded. */
  per10k: (day: BusinessDay) => number | undefined
}

export type ReplayedLot = {
  id: string
  kind: 'deposit' | 'earnings'
  amount: number
  remaining: number
  status: 'pending_review' | 'confirmed'
  confirmOn: BusinessDay
  madeOn: BusinessDay
}
type TransferStatus = 'pending_review' | 'confirmed' | 'under_review' | 'successful'
export type ReplayedTransfer = { status: TransferStatus; onDay: BusinessDay }
export type ReplayedEarning = {
  onDay: BusinessDay
  amount: number
  confirmed: number
  per10k: number
  carried: number
}

/** A member's fund: what the rules of the fund make of the commands, in minor units. */
export type ReplayedFund = FundAccount & {
  lots: ReplayedLot[]
  transfers: Map<string, ReplayedTransfer & { amount: number }>
  earnings: ReplayedEarning[]
}

/** The fund of a member who made these transfers, in their order, with every day up to `until` worked through. */
export function replayFund(
  rules: FundRules,
  commands: readonly FundCommand[],
  until: BusinessDay,
): ReplayedFund {
  const fund: ReplayedFund = {
    ...emptyFundAccount(commands[0]?.madeOn ?? until),
    lots: [],
    transfers: new Map(),
    earnings: [],
  }
  for (const command of commands) {
    rollTo(rules, fund, command.madeOn)
    if (command.kind === 'deposit') deposit(rules, fund, command)
    else withdraw(rules, fund, command, command.mode)
  }
  rollTo(rules, fund, until)
  return fund
}

function deposit({ zone, holidays }: FundRules, fund: ReplayedFund, command: FundCommand): void {
  const { id, amount, madeOn, now } = command
  const { confirmOn } = depositDates(now, zone, holidays)
  Object.assign(fund, afterDeposit(fund, madeOn, amount))
  fund.lots.push({
    id,
    kind: 'deposit',
    amount,
    remaining: amount,
    status: 'pending_review',
    confirmOn,
    madeOn,
  })
  fund.transfers.set(id, { amount, status: 'pending_review', onDay: confirmOn })
}

function withdraw(
  { holidays }: FundRules,
  fund: ReplayedFund,
  { id, amount, madeOn }: FundCommand,
  mode: 'fast' | 'standard',
): void {
  Object.assign(fund, afterWithdrawal(fund, madeOn, { amount, mode }))
  consume(fund, amount)
  if (mode === 'fast') {
    fund.transfers.set(id, { amount, status: 'successful', onDay: madeOn })
    return
  }
  fund.transfers.set(id, { amount, status: 'under_review', onDay: nextTradingDay(madeOn, holidays) })
}

/** Takes an amount out of the confirmed lots: deposits first, the oldest first, then the earnings. */
function consume(fund: ReplayedFund, amount: number): void {
  let left = amount
  for (const kind of ['deposit', 'earnings'] as const) {
    for (const lot of fund.lots) {
      if (lot.kind !== kind || lot.status !== 'confirmed') continue
      const taken = Math.min(lot.remaining, left)
      lot.remaining -= taken
      left -= taken
    }
  }
}

/** Works through the start of every day after the last one, up to `today`. */
function rollTo(rules: FundRules, fund: ReplayedFund, today: BusinessDay): void {
  for (let day = addDays(fund.begunOn, 1); day <= today; day = addDays(day, 1)) {
    if (!hasMoney(fund)) break
    earn(rules, fund, day)
    for (const lot of fund.lots) {
      if (lot.status !== 'pending_review' || lot.confirmOn > day) continue
      lot.status = 'confirmed'
      Object.assign(fund, afterConfirmation(fund, lot.amount))
      endTransfer(fund, lot.id, 'confirmed')
    }
    for (const [id, { status, onDay, amount }] of fund.transfers) {
      if (status !== 'under_review' || onDay > day) continue
      Object.assign(fund, afterPayment(fund, amount))
      endTransfer(fund, id, 'successful')
    }
  }
  if (fund.begunOn < today) fund.begunOn = today
}

function endTransfer(fund: ReplayedFund, id: string, status: TransferStatus): void {
  const transfer = fund.transfers.get(id)
  if (transfer) fund.transfers.set(id, { ...transfer, status })
}

/** Credits the day before `day` on what was confirmed during the whole of it. */
function earn({ per10k }: FundRules, fund: ReplayedFund, day: BusinessDay): void {
  const { confirmed } = fund
  if (confirmed === 0) return
  const onDay = addDays(day, -1)
  // Without a recorded rate the venue's row has nothing to agree with.
  const rate = per10k(onDay) ?? -1
  const { account, earned } = afterEarning(fund, Math.max(0, rate))
  Object.assign(fund, account)
  fund.earnings.push({ onDay, amount: earned, confirmed, per10k: rate, carried: fund.carried })
  if (earned > 0) addToEarningsLot(fund, earned, day)
}

function addToEarningsLot(fund: ReplayedFund, earned: number, day: BusinessDay): void {
  const lot = fund.lots.find(({ kind }) => kind === 'earnings')
  if (!lot) {
    const status = 'confirmed'
    fund.lots.push({
      id: '',
      kind: 'earnings',
      amount: earned,
      remaining: earned,
      status,
      confirmOn: day,
      madeOn: day,
    })
    return
  }
  Object.assign(lot, {
    amount: lot.amount + earned,
    remaining: lot.remaining + earned,
    confirmOn: day,
    madeOn: day,
  })
}
