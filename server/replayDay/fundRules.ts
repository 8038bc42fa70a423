import { minor } from '../../contract/brand.ts'
import { dayEarnings, depositDates, nextTradingDay } from '../../contract/fund.ts'
import { addDays } from '../../contract/time.ts'
import type { BusinessDay } from '../../contract/time.ts'

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
type RecordStatus = 'pending_review' | 'confirmed' | 'under_review' | 'successful'
export type ReplayedTransfer = { status: RecordStatus; onDay: BusinessDay }
export type ReplayedEarning = {
  onDay: BusinessDay
  amount: number
  confirmed: number
  per10k: number
  carried: number
}

/** A member's fund: what the rules of the fund make of the commands, in minor units. */
export type ReplayedFund = {
  confirmed: number
  pending: number
  owed: number
  carried: number
  totalEarned: number
  begunOn: BusinessDay
  usedOn: BusinessDay
  depositsUsed: number
  withdrawalsUsed: number
  fastUsed: number
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
    confirmed: 0,
    pending: 0,
    owed: 0,
    carried: 0,
    totalEarned: 0,
    begunOn: commands[0]?.madeOn ?? until,
    usedOn: '',
    depositsUsed: 0,
    withdrawalsUsed: 0,
    fastUsed: 0,
    lots: [],
    transfers: new Map(),
    earnings: [],
  }
  for (const command of commands) {
    rollTo(rules, fund, command.madeOn)
    countUse(fund, command)
    if (command.kind === 'deposit') deposit(rules, fund, command)
    else withdraw(rules, fund, command, command.mode)
  }
  rollTo(rules, fund, until)
  return fund
}

function countUse(fund: ReplayedFund, command: FundCommand): void {
  if (fund.usedOn !== command.madeOn)
    Object.assign(fund, { usedOn: command.madeOn, depositsUsed: 0, withdrawalsUsed: 0, fastUsed: 0 })
  if (command.kind === 'deposit') fund.depositsUsed += 1
  else {
    fund.withdrawalsUsed += 1
    if (command.mode === 'fast') fund.fastUsed += command.amount
  }
}

function deposit({ zone, holidays }: FundRules, fund: ReplayedFund, command: FundCommand): void {
  const { id, amount, madeOn, now } = command
  const { confirmOn } = depositDates(now, zone, holidays)
  fund.pending += amount
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
  fund.confirmed -= amount
  consume(fund, amount)
  if (mode === 'fast') {
    fund.transfers.set(id, { amount, status: 'successful', onDay: madeOn })
    return
  }
  fund.owed += amount
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
    if (fund.confirmed + fund.pending + fund.owed === 0) break
    earn(rules, fund, day)
    for (const lot of fund.lots) {
      if (lot.status !== 'pending_review' || lot.confirmOn > day) continue
      lot.status = 'confirmed'
      fund.pending -= lot.amount
      fund.confirmed += lot.amount
      endTransfer(fund, lot.id, 'confirmed')
    }
    for (const [id, { status, onDay, amount }] of fund.transfers) {
      if (status !== 'under_review' || onDay > day) continue
      fund.owed -= amount
      endTransfer(fund, id, 'successful')
    }
  }
  if (fund.begunOn < today) fund.begunOn = today
}

function endTransfer(fund: ReplayedFund, id: string, status: RecordStatus): void {
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
  const { earned, carried } = dayEarnings(minor(confirmed), Math.max(0, rate), fund.carried)
  fund.earnings.push({ onDay, amount: earned, confirmed, per10k: rate, carried })
  fund.carried = carried
  fund.confirmed += earned
  fund.totalEarned += earned
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
