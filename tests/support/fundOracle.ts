/**
 * What the fund should come to, written apart from the venue: day numbers instead of calendars, BigInt cents, one plain
 * list of lots. It shares no code with the contract or the server.
 */
export type OracleSettings = {
  /** Day number (days since 1970-01-01) on which it begins. */
  day: number
  available: bigint
  holidays: ReadonlySet<number>
  /** Ten-thousandths for 10,000.00, of a day number. */
  per10k: (day: number) => bigint
}

const depositsADay = 5
const withdrawalsADay = 3
const fastADay = 1_000_000n
/** One cent is this many units of cents × ten-thousandths × (1 / 10,000.00). */
const unitsOfCent = 100_000_000n

export function fundOracle({ day, available, holidays, per10k }: OracleSettings) {
  const state = {
    day,
    available,
    held: 0n,
    confirmed: 0n,
    pending: [] as { amount: bigint; due: number }[],
    owed: [] as { amount: bigint; due: number }[],
    carried: 0n,
    earned: 0n,
    yesterday: 0n,
    ins: 0,
    outs: 0,
    fast: 0n,
  }
  // 1970-01-01 was a Thursday.
  const trades = (n: number): boolean => {
    const weekday = (n + 4) % 7
    return weekday >= 1 && weekday <= 5 && !holidays.has(n)
  }
  const tradingAfter = (n: number): number => {
    let next = n + 1
    while (!trades(next)) next++
    return next
  }
  const take = (list: { amount: bigint; due: number }[]): bigint => {
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
    deposit: (amount: bigint, minuteOfDay: number): string => {
      if (state.ins >= depositsADay) return 'FUND_TIMES_USED'
      if (amount > state.available) return 'INSUFFICIENT_BALANCE'
      const counts = trades(state.day) && minuteOfDay < 15 * 60 ? state.day : tradingAfter(state.day)
      state.ins++
      state.available -= amount
      state.pending.push({ amount, due: tradingAfter(counts) })
      return 'ok'
    },
    withdraw: (amount: bigint, fast: boolean): string => {
      if (state.outs >= withdrawalsADay) return 'FUND_TIMES_USED'
      if (fast && state.fast + amount > fastADay) return 'FAST_CAP'
      if (amount > state.confirmed) return 'INSUFFICIENT_SHARES'
      state.outs++
      state.confirmed -= amount
      if (fast) {
        state.fast += amount
        state.available += amount
      } else {
        state.held += amount
        state.owed.push({ amount, due: tradingAfter(state.day) })
      }
      return 'ok'
    },
    /** The day that ends earns on what is confirmed; then the new one begins. */
    midnight: (): void => {
      const exact = state.confirmed * per10k(state.day) + state.carried
      state.yesterday = exact / unitsOfCent
      state.carried = exact % unitsOfCent
      state.confirmed += state.yesterday
      state.earned += state.yesterday
      state.day++
      state.confirmed += take(state.pending)
      const paid = take(state.owed)
      state.held -= paid
      state.available += paid
      state.ins = 0
      state.outs = 0
      state.fast = 0n
    },
    pending: (): bigint => state.pending.reduce((sum, { amount }) => sum + amount, 0n),
  }
}
