import { formatUnits } from '../../contract/price.ts'
import type { LiveFeed, LiveTick } from '../../server/market/feed/feed.ts'
import { Exchanges, type ExchangeName } from '../../server/market/feed/live/exchanges.ts'
import { ExchangeCore } from '../support/exchange/exchangeCore.ts'
import { faultKinds, productFaultKinds, randomFaults, type Fault } from '../support/exchange/faults.ts'
import { memoryTransport } from '../support/exchange/memoryTransport.ts'
import { otherSymbols, sampleSymbols, speeches, type Trade } from '../support/exchange/speech.ts'
import { manualClock } from '../support/manualClock.ts'
import { seededRandom } from '../support/random.ts'
import { findings, type Findings } from './findings.ts'

const priceDecimals = 2
const sizeDecimals = 5
const readEveryMs = 50
/** After the script. */
const readSeldomMs = 250
/** The faults begin within this time. */
const faultsMs = 40_000
/** The calm after the last one in which every product must have recovered. A clock that was set takes two minutes. */
const [calmMs, calmAfterSkewMs] = [50_000, 200_000]
/** An instant may be this far ahead and pass for a difference of clocks. */
const plausibleMs = 6000
/** An instant that is this far behind its arrival is wrong: the feed allows a minute, and messages may be stalled. */
const behindMs = 80_000
/** What may be under way when a ban begins: two lines, and calls. */
const underWay = 6

type Gap = { from: number; to: number }
export type LiveRun = {
  core: ExchangeCore
  exchange: ExchangeName
  symbol: string
  ticks: LiveTick[]
  gaps: Gap[]
  warnings: string[]
  /** What every reading said was covered, with the instant of the reading. */
  readings: { now: number; coveredUntil: number }[]
  startAt: number
  /** When each message of the exchange first arrived. */
  delivered: ReadonlyMap<string, number>
  problems: string[]
}
type RunOptions = { rate?: number; latencyMs?: number; commitEvery?: number; seldomAfterMs?: number }

/** Runs one feed against an exchange of ours in virtual time, and reads it as the tick log does. */
export async function runLiveFeed(
  exchange: ExchangeName,
  seed: number,
  faults: readonly Fault[],
  runMs: number,
  options: RunOptions = {},
): Promise<LiveRun> {
  const [run] = await runLiveFeeds(exchange, [sampleSymbols[exchange]], seed, faults, runMs, options)
  if (!run) throw new Error('nothing ran')
  return run
}

/** The same with a feed for each of several symbols, called P, Q …; faults of one product are about the last. */
export async function runLiveFeeds(
  exchange: ExchangeName,
  symbols: readonly string[],
  seed: number,
  faults: readonly Fault[],
  runMs: number,
  { rate = 4, latencyMs = 1 + (seed % 40), commitEvery = 1, seldomAfterMs = runMs }: RunOptions = {},
): Promise<LiveRun[]> {
  const clock = manualClock()
  const random = seededRandom(seed)
  const speech = speeches[exchange]
  const core = new ExchangeCore({ clock, speech, symbols, next: random.next, rate, faults })
  const settings = { urls: { [exchange]: 'ws://exchange' }, oandaToken: 't', oandaAccount: '101-1' }
  const warnings: string[] = []
  const delivered = new Map<string, number>()
  const record = (text: string): void => void (delivered.has(text) || delivered.set(text, clock.now()))
  const exchanges = new Exchanges(settings, memoryTransport(core, clock, latencyMs, record))
  const startAt = clock.now()
  const products = symbols.map((symbol, i) => {
    const run: LiveRun = {
      core,
      exchange,
      symbol,
      ticks: [],
      gaps: [],
      warnings,
      readings: [],
      startAt,
      delivered,
      problems: [],
    }
    const feed = exchanges
      .source({
        id: 'PQRS'.charAt(i),
        exchange,
        symbol,
        priceDecimals,
        sizeDecimals,
        tradingHoursAt: () => ({ open: true, opensAt: null, closesAt: null }),
      })
      .open({ clock, random, logLine: (_level, what) => warnings.push(what) })
    return { run, feed, committed: startAt }
  })
  core.start()
  for (const { feed } of products) await feed.start()
  for (let i = 1; clock.now() < startAt + runMs; i++) {
    await clock.advance(clock.now() < startAt + seldomAfterMs ? readEveryMs : readSeldomMs)
    for (const product of products) readFeed(product, clock.now(), i % commitEvery === 0)
  }
  for (const { run, feed } of products) {
    const { gaps, ticks, problems } = run
    for (const { from, to } of gaps)
      if (ticks.some(({ at }) => at > from && at <= to)) problems.push(`a tick in the gap ${from} to ${to}`)
    await feed.close()
  }
  core.stop()
  return products.map(({ run }) => run)
}

type Product = { run: LiveRun; feed: LiveFeed; committed: number }

function readFeed(product: Product, now: number, isCommitted: boolean): void {
  const { run, feed, committed } = product
  const problem = (what: string): void => void run.problems.push(what)
  const reading = feed.read(now)
  const again = feed.read(now)
  if (JSON.stringify(reading) !== JSON.stringify(again)) problem('a second reading differs')
  run.readings.push({ now, coveredUntil: reading.coveredUntil })
  if (!isCommitted) return
  for (const tick of reading.ticks) {
    if (tick.at <= committed || tick.at > reading.coveredUntil)
      problem(`a tick at ${tick.at}, covered ${committed}`)
    if (tick.at < (run.ticks.at(-1)?.at ?? 0)) problem('a tick before the one before it')
    run.ticks.push(tick)
  }
  for (const gap of reading.gaps) {
    if (gap.from < committed || gap.to <= gap.from)
      problem(`a gap ${gap.from} to ${gap.to}, covered ${committed}`)
    run.gaps.push(gap)
  }
  if (reading.coveredUntil < committed || reading.coveredUntil > now)
    problem('covered time goes back or ahead')
  product.committed = reading.coveredUntil
  feed.committed(reading.coveredUntil)
}

/**
 * Two products of one exchange under a script of faults, which in every third script are of the second product only:
 * nothing may be invented, repeated or lost outside a gap, the first product notices none of the second one's faults, no
 * ban is broken, and afterwards both go on by themselves.
 */
export async function driveLiveFeed(
  exchange: ExchangeName,
  seed: number,
): Promise<Findings & { ticks: number; gaps: number }> {
  const { found, expect } = findings()
  const { next } = seededRandom(seed + 1)
  const isOfProduct = seed % 3 === 0
  const count = 1 + Math.floor(next() * 6)
  const faults = randomFaults(next, faultsMs, count, isOfProduct ? productFaultKinds : faultKinds)
  // The other line goes on, once it is open.
  if (isOfProduct) for (const fault of faults) Object.assign(fault, { target: 'one', at: fault.at + 3000 })
  const symbols = [sampleSymbols[exchange], otherSymbols[exchange]]
  const endMs = Math.max(...faults.map(({ at, ms = 0 }) => at + Math.max(0, ms)))
  const hasSkew = faults.some(({ kind }) => kind === 'skew')
  const runMs = hasSkew ? faultsMs + calmAfterSkewMs : Math.min(endMs, 2 * faultsMs) + calmMs
  const options = { commitEvery: 1 + (seed % 3), seldomAfterMs: faultsMs + 20_000 }
  const runs = await runLiveFeeds(exchange, symbols, seed, faults, runMs, options)
  const { isNumbered } = speeches[exchange]
  const check = (isRight: boolean, what: string): void =>
    expect(isRight, () => `seed ${seed}, ${exchange}: ${what}; ${JSON.stringify(faults)}`)
  for (const run of runs) {
    const checkProduct = (isRight: boolean, what: string): void => check(isRight, `${run.symbol}: ${what}`)
    for (const problem of run.problems) checkProduct(false, problem)
    checkTicks(run, isNumbered, checkProduct)
    checkDropped(run, checkProduct)
  }
  const [first] = runs
  // Two of them may cut both lines.
  const rejections = faults.filter(({ kind }) => kind === 'reject-all').length
  const refusals = isNumbered ? Math.max(0, rejections - 1) : rejections
  if (first && isOfProduct) checkUndisturbed(first, refusals, check)
  if (first) checkBans(first, faults, check)
  return {
    ...found,
    ticks: runs.reduce((sum, { ticks }) => sum + ticks.length, 0),
    gaps: runs.reduce((sum, { gaps }) => sum + gaps.length, 0),
  }
}

type Check = (isRight: boolean, what: string) => void

/** Only the time before the first message is lost; a single line is opened again after each refusal. */
function checkUndisturbed({ gaps }: LiveRun, refusals: number, check: Check): void {
  const lostMs = gaps.slice(1).reduce((sum, { from, to }) => sum + to - from, 0)
  check(lostMs <= refusals * 20_000, `faults of another product cost ${lostMs} ms`)
}

/** Nobody tries before a ban is over. */
function checkBans({ core, startAt }: LiveRun, faults: readonly Fault[], check: Check): void {
  for (const { kind, at, ms = 0, count } of faults) {
    if (kind !== 'status' || count === 451) continue
    const attempts = core.refused.filter(
      (each) => each.status === count && each.at >= startAt + at && each.at < startAt + at + ms,
    )
    check(attempts.length <= underWay, `${attempts.length} attempts during a ban of ${ms} ms`)
  }
}

/** A tick that arrived and cannot be used, by its price or its instant, is in no covered time. */
export function checkDropped(
  { core, exchange, symbol, ticks, gaps, readings, delivered }: LiveRun,
  check: Check,
): void {
  const { isNumbered } = speeches[exchange]
  for (const trade of core.trades) {
    if (trade.symbol !== symbol) continue
    const at = delivered.get(speeches[exchange].trade(trade))
    if (at === undefined || (isUsable(trade) && at - trade.at < behindMs)) continue
    if (ticks.some((tick) => isTickOf(tick, trade, isNumbered))) continue
    const isLost =
      gaps.some(({ from, to }) => from <= at && to >= at) || at > (readings.at(-1)?.coveredUntil ?? 0)
    check(isLost, `${trade.id} was dropped at ${at}, which is covered`)
  }
}

/** Compares what was handed over with what the exchange made and sent. */
export function checkTicks(
  { core, exchange, symbol, ticks, gaps, readings, delivered }: LiveRun,
  isNumbered: boolean,
  expect: Check,
): void {
  const trades = core.trades.filter((trade) => trade.symbol === symbol)
  const sentAt = new Map<number, number>()
  const leftAs = new Map<number, number>()
  /** By serial: the newest instant that left before it. */
  const newestBefore = new Map<number, number>()
  let newest = Number.NEGATIVE_INFINITY
  for (const [i, { trade, at }] of core.sent.entries()) {
    if (trade.symbol !== symbol) continue
    if (!sentAt.has(trade.serial)) {
      sentAt.set(trade.serial, at)
      leftAs.set(trade.serial, i)
      newestBefore.set(trade.serial, newest)
    }
    if ((trade.offMs ?? 0) <= plausibleMs) newest = Math.max(newest, trade.at)
  }
  let index = -1
  let before: LiveTick | null = null
  for (const tick of ticks) {
    let found = index + 1
    while (found < trades.length && !isTickOf(tick, trades[found], isNumbered)) found++
    const trade = trades[found]
    expect(trade !== undefined, `the tick ${JSON.stringify(tick)} was not sent, or twice, or out of order`)
    if (!trade) return
    const leftAt = sentAt.get(trade.serial)
    expect(
      leftAt !== undefined && leftAt <= tick.at,
      `the tick ${tick.sourceId} was not sent before it arrived`,
    )
    const between = gaps.filter(({ from, to }) => to < tick.at && from >= (before?.at ?? 0))
    const missing = trades.slice(index + 1, found).filter((each) => {
      if (isNumbered) return true
      if (!isUsable(each)) return false
      // A quote that never left, left after a newer one (valid or not), or has the same instant, cannot be noticed.
      if (each.at <= (newestBefore.get(each.serial) ?? Number.NEGATIVE_INFINITY)) return false
      const left = leftAs.get(each.serial)
      return left !== undefined && left < (leftAs.get(trade.serial) ?? 0) && each.at < tick.sourceAt
    })
    // One that arrived, and counts as missing all the same, did not do so in covered time.
    // What arrives with the message that ends a gap is handed over a moment after it: so is the gap that follows.
    const uncovered = missing.filter((each) => {
      const arrivedAt = delivered.get(speeches[exchange].trade(each)) ?? Number.POSITIVE_INFINITY
      const at = Math.max(arrivedAt, before?.at ?? 0)
      return !between.some(({ from }) => from <= at)
    })
    expect(
      uncovered.length === 0,
      `no gap for ${uncovered.map(({ id }) => id).join(', ')} before ${tick.sourceId}`,
    )
    index = found
    before = tick
  }
  const { now = 0, coveredUntil = 0 } = readings.at(-1) ?? {}
  const limitMs = isNumbered ? 2000 : 7000
  expect(now - coveredUntil <= limitMs, `not recovered: covered ${now - coveredUntil} ms ago`)
  const unread = trades.slice(index + 1).filter((trade) => isUsable(trade) && trade.at < now - limitMs)
  expect(unread.length === 0, `the last ${unread.length} ticks were not handed over`)
}

const isUsable = ({ price, offMs = 0 }: Trade): boolean =>
  Number(price) > 0 && Number(price) < 1e12 && offMs <= plausibleMs

function isTickOf(tick: LiveTick, trade: Trade | undefined, isNumbered: boolean): boolean {
  if (!trade) return false
  const isSame = tick.sourceAt === trade.at && formatUnits(tick.price, priceDecimals) === trade.price
  if (!isNumbered) return isSame
  return isSame && tick.sourceId === String(trade.id) && formatUnits(tick.size, sizeDecimals) === trade.size
}
