import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { minor, priceUnits } from '../../contract/units.ts'
import { parseRecording } from '../../contract/recording.ts'
import { settle, type R1Terms, type R2Terms, type SettleTick } from '../../contract/settle.ts'
import { upperBound } from '../../server/market/log/columns.ts'

/** How much earlier than the venue the member hears the exchange, ms. */
const aheadMs = 250
/** Moments at which the member may place an order, this far apart. */
const stepMs = 250
/** The member places where the exchange has moved most: this fraction of all moments. */
const picked = 0.02

const common = { rateBp: 8500, entryTimeoutMs: 10_000, maxTickGapMs: 15_000, source: 'recording' }
const averaging = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }

/** Of the orders that were won or lost, how many were won. */
export type Share = { won: number; decided: number }
export type FasterMember = { file: string; R1: Share; R2: Share }

/** A recording as a member may bet on it. */
export function openRecordedMarket(file: string, priceDecimals: number) {
  const csv = gunzipSync(readFileSync(`streams/recordings/${file}`)).toString()
  const { at, price } = parseRecording(csv, priceDecimals)
  const ticksOf = (from: number, to: number): SettleTick[] =>
    Array.from(at.subarray(from, to), (instant, i) => ({
      seq: from + i + 1,
      at: instant,
      price: priceUnits(price[from + i] ?? 0),
    }))
  return {
    first: at[0] ?? 0,
    last: at.at(-1) ?? 0,
    priceAt: (t: number): number => price[upperBound(at, t) - 1] ?? Number.NaN,
    /** How an order of that moment ends. */
    outcome: (rule: 'R1' | 'R2', t: number, direction: 'up' | 'down', seconds: number): string => {
      const closeAt = t + seconds * 1000
      const ticks = ticksOf(upperBound(at, t), upperBound(at, closeAt))
      const order = { direction, amount: minor(1000), acceptedAt: t, closeAt } as const
      const r1: R1Terms = { rule: 'R1', priceDecimals, ...common }
      const r2: R2Terms = { rule: 'R2', priceDecimals, ...common, ...averaging }
      return settle(rule === 'R1' ? r1 : r2, order, ticks, [], []).status
    },
  }
}

/**
 * How often a member wins who hears the exchange before the venue does: at each moment the newest price of the venue is
 * known to be old, and the order goes where the next prices will be. Prices are those of a recording, settled by both
 * rules with the contract's `settle`.
 */
export function runFasterMember(file: string, priceDecimals: number, seconds: number): FasterMember {
  const { first, last, priceAt, outcome } = openRecordedMarket(file, priceDecimals)
  const end = last - seconds * 1000
  const moments: { t: number; edge: number }[] = []
  for (let t = first + 1000; t < end; t += stepMs) {
    const known = priceAt(t)
    moments.push({ t, edge: (priceAt(t + aheadMs) - known) / known })
  }
  const best = moments
    .sort((a, b) => Math.abs(b.edge) - Math.abs(a.edge))
    .slice(0, Math.floor(moments.length * picked))
    .filter(({ edge }) => edge !== 0)
  const shareBy = (rule: 'R1' | 'R2'): Share => {
    const share = { won: 0, decided: 0 }
    for (const { t, edge } of best) {
      const status = outcome(rule, t, edge > 0 ? 'up' : 'down', seconds)
      if (status === 'won') share.won += 1
      if (status === 'won' || status === 'lost') share.decided += 1
    }
    return share
  }
  return { file, R1: shareBy('R1'), R2: shareBy('R2') }
}
