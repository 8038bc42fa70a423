import { describe, expect, it } from 'vitest'
import { exchangeNames } from '../../../../server/feed/live/exchanges.ts'
import { mergeFindings } from '../../../scenarios/findings.ts'
import { checkTicks, driveLiveFeed, runLiveFeed } from '../../../scenarios/liveFeed.ts'
import type { LiveRun } from '../../../scenarios/liveFeed.ts'
import { faultKinds, parseFaults } from '../../../support/exchange/faults.ts'
import type { FaultKind } from '../../../support/exchange/faults.ts'
import { speeches } from '../../../support/exchange/speech.ts'

const limitOf = (exchange: string): number => (exchange === 'oanda' ? 7000 : 2000)
const wrongIn = (run: LiveRun, isNumbered = true): string[] => {
  const wrong = [...run.problems]
  checkTicks(run, isNumbered, (isRight, what) => void (isRight || wrong.push(what)))
  return wrong
}

describe.each(exchangeNames)('a feed of %s', (exchange) => {
  const { isNumbered } = speeches[exchange]

  it('hands over every tick once and in order, with the digits, id and instant of the exchange', async () => {
    const run = await runLiveFeed(exchange, 1, [], 30_000)
    expect(wrongIn(run, isNumbered)).toEqual([])
    expect(run.ticks.length).toBeGreaterThan(80)
    expect(run.gaps).toHaveLength(1)
    expect(run.warnings).toEqual([])
  })

  it('invents, repeats and loses nothing outside a gap under 20 scripts of faults', async () => {
    const all = []
    for (let seed = 0; seed < 20; seed++) all.push(await driveLiveFeed(exchange, seed))
    const { tried, violations } = mergeFindings(all)
    expect(violations).toEqual([])
    expect(tried).toBeGreaterThan(1000)
    expect(all.reduce((sum, { gaps }) => sum + gaps, 0)).toBeGreaterThan(20)
  })

  it.each(['half-open', 'pong-only'] as const)(
    'covers nothing after the last market data if it is %s',
    async (kind) => {
      const latencyMs = 20
      const faultAt = 12_300
      const run = await runLiveFeed(
        exchange,
        3,
        [{ at: faultAt, kind, target: 'all' }],
        faultAt + limitOf(exchange) + 900,
        {
          latencyMs,
        },
      )
      const lastProof = Math.max(...run.core.sent.map(({ at }) => at), run.core.contentSentAt) + latencyMs
      const frozen = run.readings.filter(({ now }) => now > run.startAt + faultAt + latencyMs)
      // While a connection of before the fault is open, nothing new can prove anything.
      const before = frozen.filter(({ now }) => now < run.startAt + faultAt + 2500)
      expect(before.length).toBeGreaterThan(20)
      for (const { coveredUntil } of before) expect(coveredUntil).toBeLessThanOrEqual(lastProof)
      expect(before.at(-1)!.now - before.at(-1)!.coveredUntil).toBeGreaterThan(2000)
    },
  )
})

describe.each(['binance', 'coinbase', 'kraken'] as const)('the two lines of %s', (exchange) => {
  it('lose nothing in 100 planned ends of a connection', async () => {
    let gaps = 0
    for (let seed = 0; seed < 100; seed++) {
      const kind = exchange === 'binance' ? 'shutdown' : 'cut'
      const target = exchange === 'binance' ? 'all' : 'one'
      const run = await runLiveFeed(exchange, seed, [{ at: 6000, kind, target }], 20_000)
      expect(wrongIn(run)).toEqual([])
      expect(run.core.sessionCount).toBeGreaterThan(2)
      gaps += run.gaps.length - 1
    }
    expect(gaps).toBe(0)
  })
})

describe('the end of an outage', () => {
  const heardAgain = (run: LiveRun): string[] => run.warnings.filter((line) => line.includes('heard again'))

  it('is logged once, with its length, the product and that it left a gap', async () => {
    const run = await runLiveFeed('binance', 5, parseFaults('half-open@5s:all'), 40_000)
    const gap = run.gaps[1]!
    expect(heardAgain(run)).toEqual([
      `binance is heard again after ${((gap.to - gap.from) / 1000).toFixed(1)} s, a gap: P`,
    ])
  })

  it('is logged without a gap if the exchange is back in time with the next number', async () => {
    const runs = []
    for (let seed = 0; seed < 10; seed++)
      runs.push(await runLiveFeed('binance', seed, parseFaults('cut@5s:all'), 20_000))
    const whole = runs.filter(({ gaps }) => gaps.length === 1)
    expect(whole).not.toEqual([])
    for (const run of whole)
      expect(heardAgain(run)).toEqual([
        expect.stringMatching(/^binance is heard again after [01]\.\d s, no gap: P$/),
      ])
  })

  it('is not logged while one of two connections delivers', async () => {
    const run = await runLiveFeed('binance', 5, parseFaults('cut@5s:one,half-open@20s:one'), 40_000)
    expect(run.gaps).toHaveLength(1)
    expect(heardAgain(run)).toEqual([])
  })
})

describe('faults of an exchange', () => {
  /** What each fault does to a feed of two lines: gaps besides the first, and what is logged. */
  const effects: Record<FaultKind, { faults: string; gaps: number; logged?: RegExp }> = {
    drop: { faults: 'drop@5sx2:all', gaps: 1 },
    duplicate: { faults: 'duplicate@5sx2:all', gaps: 0, logged: /tick repeated by its connection/ },
    reorder: { faults: 'reorder@5sx3:all', gaps: 0, logged: /tick out of order/ },
    stall: { faults: 'stall@5s+4s:all', gaps: 1, logged: /connection lost, silent/ },
    slow: { faults: 'slow@5s+1500ms:all', gaps: 0 },
    'half-open': { faults: 'half-open@5s:all', gaps: 1, logged: /connection lost, silent/ },
    'pong-only': { faults: 'pong-only@5s:all', gaps: 1, logged: /connection lost, no market data/ },
    cut: { faults: 'cut@5s:all', gaps: 1, logged: /connection lost, cut/ },
    'cut-in-message': {
      faults: 'cut-in-message@5s:one',
      gaps: 0,
      logged: /connection lost, cut in a message/,
    },
    shutdown: { faults: 'shutdown@5s:all', gaps: 0, logged: /connection renewed/ },
    skew: { faults: 'skew@5s+700ms', gaps: 0 },
    'bad-json': { faults: 'bad-json@5s:all', gaps: 0, logged: /message cannot be read/ },
    'zero-price': { faults: 'zero-price@5s', gaps: 1, logged: /invalid tick dropped/ },
    'absurd-price': { faults: 'absurd-price@5s', gaps: 1, logged: /invalid tick dropped/ },
    'wrong-symbol': { faults: 'wrong-symbol@5s:all', gaps: 0, logged: /tick of another symbol/ },
    'ids-back': { faults: 'ids-back@5s', gaps: 1, logged: /numbers started again/ },
    burst: { faults: 'burst@5sx5000', gaps: 0 },
    closed: { faults: 'closed@5s+8s', gaps: 0 },
  }

  it.each(faultKinds)('%s has the effect that is promised', async (kind) => {
    const { faults, gaps, logged } = effects[kind]
    const run = await runLiveFeed('binance', 5, parseFaults(faults), 40_000)
    expect(wrongIn(run)).toEqual([])
    if (kind === 'cut') expect(run.gaps.length - 1).toBeLessThanOrEqual(gaps)
    else expect(run.gaps.length - 1).toBe(gaps)
    if (logged) expect(run.warnings.some((line) => logged.test(line))).toBe(true)
  })

  it('are logged at the 1st, 2nd, 4th, 8th … time', async () => {
    const run = await runLiveFeed(
      'coinbase',
      5,
      parseFaults('bad-json@5s,bad-json@6s,bad-json@7s:one'),
      10_000,
    )
    const logged = run.warnings
      .filter((line) => line.includes('cannot be read'))
      .map((line) => line.split(', ').at(-1))
    expect(logged).toEqual(['1 so far', '2 so far', '4 so far'])
  })
})
