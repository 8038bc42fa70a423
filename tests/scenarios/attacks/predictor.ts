import { openRecordedMarket } from '../fasterMember.ts'
import { findings, type Findings } from '../findings.ts'

/** A day of trades each. */
const markets: readonly (readonly [file: string, priceDecimals: number])[] = [
  ['BTCUSDT_binance_spot_2022-01-15.csv.gz', 2],
  ['LTCUSDT_binance_spot_2025-06-21T1820.csv.gz', 2],
  ['GCZ3_2013-10-07.csv.gz', 1],
]
const rateBp = 8500
const durations = [30, 60]
const lookbacksMs = [500, 2000, 10_000, 60_000]
/** With fewer bets no edge can be told from luck. */
const betsMin = 100
/** So many standard errors above what the rate needs are an edge. */
const errorsMax = 3
const breakEven = 10_000 / (20_000 + rateBp - 10_000)

type Strategy = { lookbackMs: number; follows: boolean; leastMove: number }

/**
 * A member who sees what everybody sees bets with or against the newest move. What does best in the first half of a market is
 * played in the second half, one bet at a time: it must not beat the rate.
 */
export function predict(): Findings & { note: string } {
  const { found, expect } = findings()
  let bestShare = 0
  for (const [file, priceDecimals] of markets)
    for (const seconds of durations)
      for (const rule of ['R1', 'R2'] as const) {
        const market = openRecordedMarket(file, priceDecimals)
        const middle = (market.first + market.last) / 2
        const play = (strategy: Strategy, from: number, to: number) =>
          playStrategy(market, rule, seconds, strategy, from, to)
        const tried = strategies.map((strategy) => ({ strategy, ...play(strategy, market.first, middle) }))
        const chosen = tried.filter(({ bets }) => bets >= betsMin / 2).sort((a, b) => b.share - a.share)[0]
        if (!chosen) continue
        const { bets, share } = play(chosen.strategy, middle, market.last)
        bestShare = Math.max(bestShare, bets >= betsMin ? share : 0)
        const errors = (share - breakEven) / Math.sqrt((breakEven * (1 - breakEven)) / Math.max(1, bets))
        expect(
          bets < betsMin || errors < errorsMax,
          () =>
            `${file}, ${rule}, ${seconds} s: ${bets} bets, ${(100 * share).toFixed(1)} % won by ${JSON.stringify(chosen.strategy)}`,
        )
      }
  return {
    ...found,
    note: `the best won ${(100 * bestShare).toFixed(1)} %, the rate needs ${(100 * breakEven).toFixed(1)} %`,
  }
}

const strategies: readonly Strategy[] = lookbacksMs.flatMap((lookbackMs) =>
  [true, false].flatMap((follows) => [0, 0.0002].map((leastMove) => ({ lookbackMs, follows, leastMove }))),
)

function playStrategy(
  market: ReturnType<typeof openRecordedMarket>,
  rule: 'R1' | 'R2',
  seconds: number,
  { lookbackMs, follows, leastMove }: Strategy,
  from: number,
  to: number,
): { bets: number; share: number } {
  let [bets, won] = [0, 0]
  const stepMs = 1000
  for (let t = from + lookbackMs; t < to - seconds * 1000; t += stepMs) {
    const before = market.priceAt(t - lookbackMs)
    const move = (market.priceAt(t) - before) / before
    if (move === 0 || Number.isNaN(move) || Math.abs(move) < leastMove) continue
    const status = market.outcome(rule, t, move > 0 === follows ? 'up' : 'down', seconds)
    if (status === 'won') won += 1
    if (status === 'won' || status === 'lost') bets += 1
    t += seconds * 1000
  }
  return { bets, share: won / Math.max(1, bets) }
}
