import { formatUnits } from '../../contract/price.ts'
import type { LiveTick } from '../../server/feed/feed.ts'
import { Exchanges } from '../../server/feed/live/exchanges.ts'
import type { ExchangeName } from '../../server/feed/live/exchanges.ts'
import { ExchangeCore } from '../support/exchange/exchangeCore.ts'
import { randomFaults } from '../support/exchange/faults.ts'
import type { Fault } from '../support/exchange/faults.ts'
import { memoryTransport } from '../support/exchange/memoryTransport.ts'
import { sampleSymbols, speeches } from '../support/exchange/speech.ts'
import type { Trade } from '../support/exchange/speech.ts'
import { manualClock } from '../support/manualClock.ts'
import { seededRandom } from '../support/random.ts'
import { findings } from './findings.ts'
import type { Findings } from './findings.ts'

const priceDecimals = 2
const sizeDecimals = 5
const readEveryMs = 50
/** The script, and the calm after it in which the feed must have recovered. */
const faultsMs = 40_000
const calmMs = 40_000

type Gap = { from: number; to: number }
export type LiveRun = {
  core: ExchangeCore
  ticks: LiveTick[]
  gaps: Gap[]
  warnings: string[]
  /** What every reading said was covered, with the instant of the reading. */
  readings: { now: number; coveredUntil: number }[]
  startAt: number
  problems: string[]
}

/** Runs one feed against an exchange of ours in virtual time, and reads it as the tick log does. */
export async function runLiveFeed(
  exchange: ExchangeName,
  seed: number,
  faults: readonly Fault[],
  runMs: number,
  { rate = 4, latencyMs = 1 + (seed % 40), commitEvery = 1 } = {},
): Promise<LiveRun> {
  const clock = manualClock()
  const random = seededRandom(seed)
  const symbol = sampleSymbols[exchange]
  const speech = speeches[exchange]
  const core = new ExchangeCore({ clock, speech, symbols: [symbol], next: random.next, rate, faults })
  const settings = { urls: { [exchange]: 'ws://exchange' }, oandaToken: 't', oandaAccount: '101-1' }
  const warnings: string[] = []
  const feed = new Exchanges(settings, memoryTransport(core, clock, latencyMs))
    .source({
      id: 'P',
      exchange,
      symbol,
      priceDecimals,
      sizeDecimals,
      tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
    })
    .open({ clock, random, logLine: (_level, what) => warnings.push(what) })
  const run: LiveRun = {
    core,
    ticks: [],
    gaps: [],
    warnings,
    readings: [],
    startAt: clock.now(),
    problems: [],
  }
  core.start()
  await feed.start()
  let covered = clock.now()
  const problem = (what: string): void => void run.problems.push(`seed ${seed}, ${exchange}: ${what}`)
  for (let i = 1; clock.now() < run.startAt + runMs; i++) {
    await clock.advance(readEveryMs)
    const now = clock.now()
    const reading = feed.read(now)
    const again = feed.read(now)
    if (JSON.stringify(reading) !== JSON.stringify(again)) problem('a second reading differs')
    run.readings.push({ now, coveredUntil: reading.coveredUntil })
    if (i % commitEvery !== 0) continue
    for (const tick of reading.ticks) {
      if (tick.at <= covered || tick.at > reading.coveredUntil)
        problem(`a tick at ${tick.at}, covered ${covered}`)
      if (tick.at < (run.ticks.at(-1)?.at ?? 0)) problem('a tick before the one before it')
      run.ticks.push(tick)
    }
    for (const gap of reading.gaps) {
      if (gap.from < covered || gap.to <= gap.from)
        problem(`a gap ${gap.from} to ${gap.to}, covered ${covered}`)
      run.gaps.push(gap)
    }
    if (reading.coveredUntil < covered || reading.coveredUntil > now)
      problem('covered time goes back or ahead')
    covered = reading.coveredUntil
    feed.committed(covered)
  }
  for (const { from, to } of run.gaps) {
    if (run.ticks.some(({ at }) => at > from && at <= to)) problem(`a tick in the gap ${from} to ${to}`)
  }
  await feed.close()
  core.stop()
  return run
}

/** One feed under a script of faults: nothing may be invented, repeated or lost outside a gap. */
export async function driveLiveFeed(
  exchange: ExchangeName,
  seed: number,
): Promise<Findings & { ticks: number; gaps: number }> {
  const { found, expect } = findings()
  const { next } = seededRandom(seed + 1)
  const faults = randomFaults(next, faultsMs, 1 + Math.floor(next() * 6))
  const run = await runLiveFeed(exchange, seed, faults, faultsMs + calmMs, { commitEvery: 1 + (seed % 3) })
  for (const problem of run.problems) expect(false, () => problem)
  const script = JSON.stringify(faults)
  checkTicks(run, speeches[exchange].isNumbered, (isRight, what) =>
    expect(isRight, () => `seed ${seed}, ${exchange}: ${what}; ${script}`),
  )
  return { ...found, ticks: run.ticks.length, gaps: run.gaps.length }
}

/** Compares what was handed over with what the exchange made and sent. */
export function checkTicks(
  { core, ticks, gaps, readings }: LiveRun,
  isNumbered: boolean,
  expect: (isRight: boolean, what: string) => void,
): void {
  const sentAt = new Map<number, number>()
  const leftAs = new Map<number, number>()
  core.sent.forEach(({ trade, at }, i) => {
    if (sentAt.has(trade.serial)) return
    sentAt.set(trade.serial, at)
    leftAs.set(trade.serial, i)
  })
  /** By serial: the newest instant that left before it. */
  const newestBefore = new Map<number, number>()
  let newest = Number.NEGATIVE_INFINITY
  for (const { trade } of core.sent) {
    if (!newestBefore.has(trade.serial)) newestBefore.set(trade.serial, newest)
    newest = Math.max(newest, trade.at)
  }
  let serial = -1
  let newestSourceAt = Number.NEGATIVE_INFINITY
  let before: LiveTick | null = null
  for (const tick of ticks) {
    const found = core.trades.findIndex((trade, i) => i > serial && isTickOf(tick, trade, isNumbered))
    expect(found >= 0, `the tick ${JSON.stringify(tick)} was not sent, or twice, or out of order`)
    if (found < 0) return
    const leftAt = sentAt.get(found)
    expect(
      leftAt !== undefined && leftAt <= tick.at,
      `the tick ${tick.sourceId} was not sent before it arrived`,
    )
    const hasGap = gaps.some(({ from, to }) => to < tick.at && from >= (before?.at ?? 0))
    const missing = core.trades.slice(serial + 1, found).filter((trade) => {
      if (!isPrice(trade) || trade.at < newestSourceAt) return false
      const left = leftAs.get(trade.serial)
      // A quote that never left, left after a newer one (valid or not), or has the same instant, cannot be noticed.
      if (!isNumbered && trade.at <= (newestBefore.get(trade.serial) ?? Number.NEGATIVE_INFINITY))
        return false
      return isNumbered || (left !== undefined && left < (leftAs.get(found) ?? 0) && trade.at < tick.sourceAt)
    })
    expect(
      missing.length === 0 || hasGap,
      `no gap for ${missing.map(({ id }) => id).join(', ')} before ${tick.sourceId}`,
    )
    serial = found
    newestSourceAt = Math.max(newestSourceAt, tick.sourceAt)
    before = tick
  }
  const { now = 0, coveredUntil = 0 } = readings.at(-1) ?? {}
  const limitMs = isNumbered ? 2000 : 7000
  expect(now - coveredUntil <= limitMs, `not recovered: covered ${now - coveredUntil} ms ago`)
  const unread = core.trades.slice(serial + 1).filter((trade) => isPrice(trade) && trade.at < now - limitMs)
  expect(unread.length === 0, `the last ${unread.length} ticks were not handed over`)
}

const isPrice = ({ price }: Trade): boolean => Number(price) > 0 && Number(price) < 1e12

function isTickOf(tick: LiveTick, trade: Trade, isNumbered: boolean): boolean {
  const isSame = tick.sourceAt === trade.at && formatUnits(tick.price, priceDecimals) === trade.price
  if (!isNumbered) return isSame
  return isSame && tick.sourceId === String(trade.id) && formatUnits(tick.size, sizeDecimals) === trade.size
}
