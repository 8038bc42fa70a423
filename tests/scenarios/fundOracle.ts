/**
 * An independent model of the fund: day numbers instead of calendars, BigInt cents, one plain list of lots. It shares no
 * code with the contract or the server.
 */
export type OracleSettings = {
  /** Day number (days since 1970-01-01) of the first day. */
  day: number
  available: bigint
  holidays: ReadonlySet<number>
  /** Earnings for 10,000.00 in ten-thousandths, by day number. */
  per10k: (day: number) => bigint
}

const depositsPerDay = 5
const withdrawalsPerDay = 3
const fastCapPerDay = 1_000_000n
/** One cent is this many units of cents × ten-thousandths × (1 / 10,000.00). */
const unitsOfCent = 100_000_000n

export function fundOracle({ day, available, holidays, per10k }: OracleSettings) {
  const state = {
    day,
    available,
    held: 0n,
    confirmed: 0n,
    pending: [] as { amount: bigint; due: number }[],
    pendingPayouts: [] as { amount: bigint; due: number }[],
    carried: 0n,
    earned: 0n,
    yesterday: 0n,
    depositCount: 0,
    withdrawalCount: 0,
    fastTotal: 0n,
  }
  // 1970-01-01 was a Thursday.
  const isTradingDay = (n: number): boolean => {
    const weekday = (n + 4) % 7
    return weekday >= 1 && weekday <= 5 && !holidays.has(n)
  }
  const nextTradingDay = (n: number): number => {
    let next = n + 1
    while (!isTradingDay(next)) next++
    return next
  }
  const removeDue = (list: { amount: bigint; due: number }[]): bigint => {
    let sum = 0n
    for (let i = list.length - 1; i >= 0; i--) {
      const entry = list[i]
      if (!entry || entry.due > state.day) continue
      sum += entry.amount
      list.splice(i, 1)
    }
    return sum
  }

  return {
    state,
    hasDepositsLeft: (): boolean => state.depositCount < depositsPerDay,
    deposit: (amount: bigint, minuteOfDay: number): string => {
      if (state.depositCount >= depositsPerDay) return 'FUND_TIMES_USED'
      if (amount > state.available) return 'INSUFFICIENT_BALANCE'
      const countsFrom =
        isTradingDay(state.day) && minuteOfDay < 15 * 60 ? state.day : nextTradingDay(state.day)
      state.depositCount++
      state.available -= amount
      state.pending.push({ amount, due: nextTradingDay(countsFrom) })
      return 'ok'
    },
    withdraw: (amount: bigint, fast: boolean): string => {
      if (state.withdrawalCount >= withdrawalsPerDay) return 'FUND_TIMES_USED'
      if (fast && state.fastTotal + amount > fastCapPerDay) return 'FAST_CAP'
      if (amount > state.confirmed) return 'INSUFFICIENT_SHARES'
      state.withdrawalCount++
      state.confirmed -= amount
      if (fast) {
        state.fastTotal += amount
        state.available += amount
      } else {
        state.held += amount
        state.pendingPayouts.push({ amount, due: nextTradingDay(state.day) })
      }
      return 'ok'
    },
    /** Credits the ending day's earnings on confirmed shares, then starts the new day. */
    rollDay: (): void => {
      const exact = state.confirmed * per10k(state.day) + state.carried
      state.yesterday = exact / unitsOfCent
      state.carried = exact % unitsOfCent
      state.confirmed += state.yesterday
      state.earned += state.yesterday
      state.day++
      state.confirmed += removeDue(state.pending)
      const paid = removeDue(state.pendingPayouts)
      state.held -= paid
      state.available += paid
      state.depositCount = 0
      state.withdrawalCount = 0
      state.fastTotal = 0n
    },
    pending: (): bigint => state.pending.reduce((sum, { amount }) => sum + amount, 0n),
  }
}
