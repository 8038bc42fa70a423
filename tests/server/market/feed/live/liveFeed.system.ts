import { describe, expect, it } from 'vitest'
import { exchangeNames, type ExchangeName } from '../../../../../server/market/feed/live/exchanges.ts'
import {
  checkDropped,
  checkTicks,
  runLiveFeed,
  runLiveFeeds,
  type LiveRun,
} from '../../../../scenarios/liveFeed.ts'
import { faultKinds, parseFaults, type FaultKind } from '../../../../support/exchange/faults.ts'
import { otherSymbols, sampleSymbols, speeches } from '../../../../support/exchange/speech.ts'

const limitOf = (exchange: string): number => (exchange === 'oanda' ? 7000 : 2000)
const wrongIn = (run: LiveRun, isNumbered = true): string[] => {
  const wrong = [...run.problems]
  const check = (isRight: boolean, what: string): void => void (isRight || wrong.push(what))
  checkTicks(run, isNumbered, check)
  checkDropped(run, check)
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

  it('loses no more than the limit for a tick whose instant is ahead by less than is wrong', async () => {
    const fault = { at: 12_000, kind: 'future-tick', ms: 4800, count: 1, target: 'all' } as const
    for (let seed = 1; seed <= 5; seed++) {
      const run = await runLiveFeed(exchange, seed, [fault], 30_000, { rate: 10 })
      expect(wrongIn(run, isNumbered)).toEqual([])
      const lostMs = run.gaps.slice(1).reduce((sum, { from, to }) => sum + to - from, 0)
      expect(lostMs).toBeLessThan(2500)
    }
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
    status: {
      faults: 'status@5s+10sx429',
      gaps: 1,
      logged: /answered 429, no connection and no call before/,
    },
    'future-tick': {
      faults: 'future-tick@5s+1hx2',
      gaps: 1,
      logged: /P: tick with a wrong instant dropped, \d+: 3600\.0 s ahead of the venue's clock, 1 so far/,
    },
    micros: { faults: 'micros@5s+1s', gaps: 1, logged: /tick with a wrong instant dropped/ },
    'reject-all': { faults: 'reject-all@5s+5s', gaps: 1, logged: /subscription rejected: BTCUSDT/ },
    'mute-after-join': { faults: 'mute-after-join@5s+5s', gaps: 1 },
    'gone-symbol': { faults: 'gone-symbol@5s+5s', gaps: 1 },
  }

  it.each(faultKinds)('%s has the effect that is promised', async (kind) => {
    const { faults, gaps, logged } = effects[kind]
    const run = await runLiveFeed('binance', 5, parseFaults(faults), 40_000)
    expect(wrongIn(run)).toEqual([])
    if (kind === 'cut') expect(run.gaps.length - 1).toBeLessThanOrEqual(gaps)
    else expect(run.gaps.length - 1).toBe(gaps)
    if (logged) expect(run.warnings.some((line) => logged.test(line))).toBe(true)
  })

  it('bring no quote into covered time that was dropped because of a clock 38 minutes behind', async () => {
    const skew = { at: 6000, kind: 'skew', ms: -2_300_000, count: 15, target: 'all' } as const
    const symbols = [sampleSymbols.oanda, otherSymbols.oanda]
    const runs = await runLiveFeeds('oanda', symbols, 5, [skew], 40_000)
    expect(runs.flatMap((run) => wrongIn(run, false))).toEqual([])
    for (const { gaps } of runs) expect(gaps.length).toBeGreaterThan(1)
  })

  it('lose no trade in covered time if numbers start again after an instant that was ahead', async () => {
    for (const more of ['ids-back@12500ms', 'ids-back@14500ms', 'cut@12100ms:all,ids-back@12500ms'])
      for (const seed of [1, 2, 3, 4, 5]) {
        const run = await runLiveFeed('binance', seed, parseFaults(`future-tick@12s+4800ms,${more}`), 40_000)
        expect(wrongIn(run)).toEqual([])
      }
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

describe('other products', () => {
  const runBoth = (exchange: ExchangeName, faults: string, runMs: number) =>
    runLiveFeeds(
      exchange,
      [sampleSymbols[exchange], otherSymbols[exchange]],
      5,
      parseFaults(faults),
      runMs,
    ) as Promise<[LiveRun, LiveRun]>
  const naming = (run: LiveRun, text: string): string[] => run.warnings.filter((line) => line.includes(text))

  it.each(
    exchangeNames.flatMap((name) =>
      (['reject-all@0s+30s', 'reject-all@0s+30sx2'] as const).map((fault) => [name, fault] as const),
    ),
  )('of %s go on while one is refused (%s), which is named once and heals', async (exchange, fault) => {
    const { isNumbered } = speeches[exchange]
    const [first, second] = await runBoth(exchange, fault, 120_000)
    const isEarly = ({ at }: { at: number }): boolean => at < first.startAt + 15_000
    // At once, and not by the next connection; only a stream has to be opened again.
    expect(first.ticks[0]!.at - first.startAt).toBeLessThan(isNumbered ? 1100 : 3000)
    expect(first.ticks.filter(isEarly).length).toBeGreaterThan(20)
    expect(second.ticks.filter(isEarly)).toEqual([])
    expect(wrongIn(first, isNumbered)).toEqual([])
    expect(wrongIn(second, isNumbered)).toEqual([])
    const what = isNumbered ? 'subscription' : 'call'
    const symbol = otherSymbols[exchange]
    expect(naming(first, `${what} rejected: ${symbol}`)).toHaveLength(1)
    expect(naming(first, `${what} accepted again: ${symbol}`)).toHaveLength(1)
    expect(naming(first, `rejected: ${sampleSymbols[exchange]}`)).toEqual([])
  })

  it.each(exchangeNames)('of %s do not notice wrong instants of one', async (exchange) => {
    const { isNumbered } = speeches[exchange]
    const [first, second] = await runBoth(exchange, 'future-tick@5s+1hx3,micros@20s+14s', 60_000)
    expect(first.gaps).toHaveLength(1)
    expect(wrongIn(first, isNumbered)).toEqual([])
    expect(second.gaps.length).toBeGreaterThan(1)
    expect(wrongIn(second, isNumbered)).toEqual([])
  })

  it('are not delayed by calls for a symbol that is gone, which is named once', async () => {
    const [first] = await runBoth('binance', 'gone-symbol@0s+10m', 630_000)
    expect(first.ticks.length).toBeGreaterThan(2000)
    expect(naming(first, 'call rejected: ETHUSDT: answered 400')).toHaveLength(1)
    expect(naming(first, 'call accepted again: ETHUSDT')).toHaveLength(1)
    expect(first.core.calls.filter((path) => path.includes('ETHUSDT')).length).toBeLessThan(10)
    expect(naming(first, 'snapshot failed')).toEqual([])
  })

  it('are listed when an exchange is heard again, and one without a tick is named instead', async () => {
    const [first] = await runBoth('binance', 'mute-after-join@0s+20m,half-open@330s:all', 400_000)
    expect(naming(first, 'Q: no tick for five minutes, binance ETHUSDT, 1 so far')).toHaveLength(1)
    expect(naming(first, 'P: no tick')).toEqual([])
    expect(naming(first, 'heard again')).toEqual([expect.stringMatching(/a gap: P$/)])
  })
})

describe('a ban', () => {
  it.each(exchangeNames.flatMap((name) => ([418, 429, 503] as const).map((code) => [name, code] as const)))(
    'of %s by %d is kept by all lines and calls, and logged once with its end',
    async (exchange, code) => {
      const run = await runLiveFeed(exchange, 5, parseFaults(`status@10s+120sx${code}`), 200_000)
      expect(wrongIn(run, speeches[exchange].isNumbered)).toEqual([])
      expect(run.core.refused.length).toBeGreaterThan(0)
      expect(run.core.refused.length).toBeLessThanOrEqual(3)
      const bans = run.warnings.filter((line) => line.includes('no connection and no call before'))
      expect(bans).toEqual([expect.stringContaining(`${exchange}: answered ${code}, no connection`)])
      const until = Date.parse(/before (\S+)$/.exec(bans[0] ?? '')?.[1] ?? '')
      expect(until - run.startAt).toBeGreaterThanOrEqual(130_000)
      expect(until - run.startAt).toBeLessThan(132_000)
    },
  )

  it('is no answer 451: the exchange refuses the region, and the venue goes on trying', async () => {
    const run = await runLiveFeed('binance', 5, parseFaults('status@10s+60sx451'), 120_000)
    expect(wrongIn(run)).toEqual([])
    expect(run.core.refused.length).toBeGreaterThan(6)
    expect(run.warnings).toContainEqual(expect.stringContaining('connection lost, answered 451'))
  })
})
