/**
 * A model of what one member has: orders by the wording of the rule, deposits, withdrawals and the fund (its own
 * oracle). It shares no code with the contract or the server; amounts are cents as numbers.
 */
import { dayMs } from '../../contract/time.ts'
import { fundOracle } from './fundOracle.ts'

export type ModelTick = { seq: number; at: number; price: number }
export type ModelOrder = {
  id: string
  direction: 'up' | 'down'
  amount: number
  rateBp: number
  acceptedAt: number
  closeAt: number
  /** Null while the order is open. */
  result: string | null
}
type Request = { id: string; amount: number; status: 'under_review' | 'successful' | 'failed' }
/** `lowestPnl` while it is credited and waits for a second person: the lowest since its credit. */
type DepositRequest = Request & { lowestPnl?: number | undefined }
export type DepositStep = 'approve' | 'credit' | 'reject' | 'reverse'

export type ModelSettings = {
  available: number
  /** The instant of the start, and the offset of its days from UTC. */
  now: number
  zoneMs: number
  per10k: (day: number) => bigint
  maxTickGapMs: number
  entryTimeoutMs: number
}

const latestMs = 300_000
const closeAtLatest = ({ closeAt }: ModelOrder): number => closeAt + latestMs

export function moneyModel(settings: ModelSettings) {
  const { zoneMs, maxTickGapMs, entryTimeoutMs, per10k } = settings
  const dayOf = (at: number): number => Math.floor((at + zoneMs) / dayMs)
  const fund = fundOracle({
    day: dayOf(settings.now),
    available: BigInt(settings.available),
    holidays: new Set(),
    per10k,
  })
  const ticks: ModelTick[] = []
  const gaps: { from: number; to: number }[] = []
  const orders: ModelOrder[] = []
  const deposits: DepositRequest[] = []
  const withdrawals: Request[] = []
  /** The capital record, oldest first: `type amount balanceAfter`. */
  const record: string[] = [`grant ${settings.available} ${settings.available}`]
  const state = { stakes: 0, pnl: 0, today: 0, watermark: settings.now }
  const available = (): number => Number(fund.state.available)
  const addRecord = (type: string, amount: number): void =>
    void record.push(`${type} ${amount} ${available()}`)
  const moveMoney = (type: string, amount: number): void => {
    fund.state.available += BigInt(amount)
    addRecord(type, amount)
  }
  const hold = (amount: number): void => void (fund.state.held += BigInt(amount))
  const awaiting = (): DepositRequest[] => deposits.filter(({ lowestPnl }) => lowestPnl !== undefined)
  const earn = (pnl: number): void => {
    state.pnl += pnl
    state.today += pnl
    for (const request of awaiting()) request.lowestPnl = Math.min(request.lowestPnl ?? 0, state.pnl)
  }
  /** Without what waits for a second person, and what was won since. */
  const withdrawable = (): number => {
    const waits = awaiting()
    if (waits.length === 0) return available()
    const amount = waits.reduce((sum, request) => sum + request.amount, 0)
    const lowest = Math.min(...waits.map(({ lowestPnl = 0 }) => lowestPnl))
    return Math.max(0, available() - amount - (state.pnl - lowest))
  }

  const outcomeOf = (order: ModelOrder): { result: string; payout: number } => {
    const { acceptedAt, closeAt, amount } = order
    const limit = Math.min(acceptedAt + entryTimeoutMs, closeAt)
    const entry = ticks.find((tick) => tick.at > acceptedAt && tick.at <= limit)
    const exit = entry && ticks.findLast((tick) => tick.at <= closeAt)
    const openGap = { from: state.watermark, to: Number.MAX_SAFE_INTEGER }
    const isHidden = (after: number, until: number): boolean =>
      [...gaps, openGap].some((gap) => gap.from < until && gap.to > after)
    const refunded = (result: string) => ({ result, payout: amount })
    if (isHidden(acceptedAt, entry ? entry.at : limit)) return refunded('FEED_DOWN')
    if (exit && isHidden(exit.at, closeAt)) return refunded('FEED_DOWN')
    if (!entry || !exit) return refunded('NO_ENTRY')
    if (entry.seq === exit.seq) return refunded('ONE_TICK')
    if (closeAt - exit.at > maxTickGapMs) return refunded('STALE_EXIT')
    if (entry.price === exit.price) return refunded('tied')
    if (exit.price > entry.price !== (order.direction === 'up')) return { result: 'lost', payout: 0 }
    return { result: 'won', payout: amount + Math.floor((amount * order.rateBp) / 10_000) }
  }
  /** Orders that close at the same instant are booked in the order of their ids. */
  const settle = (due: (order: ModelOrder) => boolean): void => {
    const closing = orders.filter((order) => order.result === null && due(order))
    for (const order of closing.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const { result, payout } = outcomeOf(order)
      order.result = result
      state.stakes -= order.amount
      earn(payout - order.amount)
      const isDecided = result === 'won' || result === 'lost' || result === 'tied'
      moveMoney(isDecided ? 'payout' : 'refund', payout)
    }
  }
  const rollDay = (): void => {
    state.today = 0
    const { state: fundState } = fund
    const before = fundState.available
    const paid = fundState.pendingPayouts.filter(({ due }) => due <= fundState.day + 1)
    fund.rollDay()
    const after = fundState.available
    fundState.available = before
    if (fundState.yesterday > 0n) {
      addRecord('fund_earning', Number(fundState.yesterday))
      earn(Number(fundState.yesterday))
    }
    for (const { amount } of paid) moveMoney('fund_out', Number(amount))
    if (fundState.available !== after) throw new Error('the model and the fund disagree on payouts')
  }
  const isMidnight = (at: number): boolean => (at + zoneMs) % dayMs === 0
  const turningPoints = (from: number, to: number): number[] => {
    const points = new Set(orders.filter(({ result }) => result === null).map(closeAtLatest))
    for (let day = dayOf(from) + 1; day <= dayOf(to); day++) points.add(day * dayMs - zoneMs)
    return [...points].filter((at) => at <= to).toSorted((a, b) => a - b)
  }

  return {
    fund,
    ticks,
    gaps,
    orders,
    deposits,
    withdrawals,
    record,
    state,
    available,
    /** The instants after `from`, up to `to`, at which something happens by itself: midnights, and orders 300 s late. */
    turningPoints,
    /** Time passes without market data. */
    advanceTo: (now: number, from: number): void => {
      for (const at of turningPoints(from, now)) {
        if (isMidnight(at)) rollDay()
        settle((order) => closeAtLatest(order) <= at)
      }
    },
    /** Everything up to now is logged. */
    flush: (now: number): void => {
      state.watermark = Math.max(state.watermark, now)
      settle(({ closeAt }) => closeAt <= state.watermark)
    },
    /** A gap from the watermark until now. */
    gap: (now: number): void => {
      gaps.push({ from: state.watermark, to: now })
      state.watermark = now
      settle(({ closeAt }) => closeAt <= now)
    },
    covers: (amount: number): boolean => amount <= available(),
    withdrawable,
    order: (order: ModelOrder): void => {
      orders.push(order)
      state.stakes += order.amount
      moveMoney('stake', -order.amount)
    },
    deposit: (id: string, amount: number, isImmediate: boolean): void => {
      deposits.push({ id, amount, status: isImmediate ? 'successful' : 'under_review' })
      if (isImmediate) moveMoney('deposit', amount)
    },
    /** What the office's step answers: the second person's, of one that is credited. */
    decideDeposit: (request: DepositRequest, step: DepositStep): string => {
      const waits = request.lowestPnl !== undefined
      if (step === 'reverse' ? !waits : request.status !== 'under_review' && !(waits && step === 'approve'))
        return 'CONFLICT'
      if (step === 'reverse') {
        const there = Math.min(request.amount, available())
        if (there < request.amount && state.stakes > 0) return 'OPEN_ORDERS'
        request.status = 'failed'
        if (there > 0) moveMoney('deposit_reversed', -there)
      } else if (!waits) {
        request.status = step === 'reject' ? 'failed' : 'successful'
        if (step !== 'reject') moveMoney('deposit', request.amount)
      }
      request.lowestPnl = step === 'credit' ? state.pnl : undefined
      return 'ok'
    },
    withdraw: (id: string, amount: number): void => {
      withdrawals.push({ id, amount, status: 'under_review' })
      hold(amount)
      moveMoney('withdrawal_hold', -amount)
    },
    resolveWithdrawal: (request: Request, paid: boolean): void => {
      request.status = paid ? 'successful' : 'failed'
      hold(-request.amount)
      if (paid) addRecord('withdrawal_paid', 0)
      else moveMoney('withdrawal_returned', request.amount)
    },
    fundIn: (amount: number, now: number): string => {
      const minute = Math.floor(((now + zoneMs) % dayMs) / 60_000)
      const isLocked = amount > withdrawable() && amount <= available()
      if (isLocked && fund.hasDepositsLeft()) return 'AWAITS_SECOND_PERSON'
      const code = fund.deposit(BigInt(amount), minute)
      if (code === 'ok') addRecord('fund_in', -amount)
      return code
    },
    fundOut: (amount: number, fast: boolean): string => {
      const code = fund.withdraw(BigInt(amount), fast)
      if (code === 'ok') addRecord('fund_out', fast ? amount : 0)
      return code
    },
    reset: (to: number): boolean => {
      if (state.stakes > 0) return false
      moveMoney('reset', to - available())
      return true
    },
  }
}
export type MoneyModel = ReturnType<typeof moneyModel>
