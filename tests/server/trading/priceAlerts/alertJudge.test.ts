import { expect, it } from 'vitest'
import { ApiError } from '../../../../server/platform/apiError.ts'
import { AlertJudge, type WaitingAlert } from '../../../../server/trading/priceAlerts/alertJudge.ts'
import { fc } from '../../../support/fastCheck.ts'
import { fakeMarket, type FakeMarket } from '../../../support/fakeMarket.ts'
import { manualClock } from '../../../support/manualClock.ts'

const alertOf = (id: string, price: number, rises: boolean, afterSeq: number): WaitingAlert => ({
  id,
  memberId: 'm',
  productId: 'TEST',
  kind: rises ? 'above' : 'below',
  rises,
  price,
  priceDecimals: 2,
  createdAt: 0,
  afterSeq,
  joined: false,
})

type Judged = { judge: AlertJudge; reached: string[]; reports: unknown[]; stop: () => void }

/** A judge that follows a market, and what it found. */
function judgeOf(market: FakeMarket): Judged {
  const reached: string[] = []
  const reports: unknown[] = []
  const judge = new AlertJudge({
    market,
    onReached: (alerts) => reached.push(...alerts.map(({ id }) => id)),
    report: (what) => reports.push(what),
  })
  return { judge, reached, reports, stop: market.onFlush((flush) => judge.onFlush(flush)) }
}

const openMarket = (...prices: number[]): FakeMarket => {
  const market = fakeMarket(manualClock())
  market.flushPrices({ TEST: prices })
  return market
}

it('judges an alert by the ticks after its creation, once', () => {
  const market = openMarket(10_500, 10_000)
  const { judge, reached } = judgeOf(market)
  judge.follow([alertOf('up', 10_500, true, 2), alertOf('down', 9_500, false, 2)])
  market.flushPrices({ TEST: [10_499, 10_501, 10_600] })
  expect(reached).toEqual(['up'])
  market.flushPrices({ TEST: [9_501, 9_500, 10_600] })
  expect(reached).toEqual(['up', 'down'])
})

it('judges an alert that arrives late by the ticks since its creation first', async () => {
  const market = openMarket(10_000)
  const { judge, reached } = judgeOf(market)
  judge.follow([alertOf('known', 20_000, true, 1)])
  market.flushPrices({ TEST: [10_500] })
  market.flushPrices({ TEST: [10_000] })
  judge.follow([alertOf('touched', 10_500, true, 1), alertOf('later', 10_500, true, 2)])
  await judge.idle()
  expect(reached).toEqual(['touched'])
  market.flushPrices({ TEST: [10_500] })
  expect(reached).toEqual(['touched', 'later'])
})

it('waits with an alert of another node until it has the ticks before its creation', () => {
  const market = openMarket(10_000)
  const { judge, reached } = judgeOf(market)
  judge.follow([alertOf('known', 20_000, true, 1), alertOf('ahead', 10_500, true, 2)])
  market.flushPrices({ TEST: [10_500] })
  expect(reached).toEqual([])
  market.flushPrices({ TEST: [10_400, 10_500] })
  expect(reached).toEqual(['ahead'])
})

it('reads the log where a flush is missing, and again if that fails', async () => {
  const market = openMarket(10_000)
  let fails = 1
  const failing = {
    ...market,
    ticksAfter: async (...args: Parameters<FakeMarket['ticksAfter']>) => {
      if (fails-- > 0) throw new Error('no database')
      return market.ticksAfter(...args)
    },
  }
  const { judge, reached, reports, stop } = judgeOf(failing)
  judge.follow([alertOf('missed', 10_500, true, 1), alertOf('later', 11_000, true, 1)])
  stop()
  market.flushPrices({ TEST: [10_500] })
  market.onFlush((flush) => judge.onFlush(flush))
  market.flushPrices({ TEST: [10_000] })
  await judge.idle()
  expect([reached, reports]).toEqual([[], ['judging price alerts by the log failed']])
  judge.retry()
  await judge.idle()
  expect(reached).toEqual(['missed'])
  market.flushPrices({ TEST: [11_000] })
  expect(reached).toEqual(['missed', 'later'])
})

it('goes on with the oldest tick that the log has if others were pruned', async () => {
  const market = openMarket(10_000, 10_500, 10_000)
  const pruned = {
    ...market,
    ticksAfter: async (id: string, afterSeq: number, limit: number) => {
      if (afterSeq < 2) throw new ApiError('PRUNED', { params: { firstSeq: 3 } })
      return market.ticksAfter(id, afterSeq, limit)
    },
  }
  const { judge, reached, reports } = judgeOf(pruned)
  judge.resume([{ ...alertOf('up', 10_500, true, 1), joined: true }], new Map([['TEST', 1]]))
  await judge.idle()
  expect([reached, reports.length]).toEqual([[], 1])
  market.flushPrices({ TEST: [10_500] })
  expect(reached).toEqual(['up'])
})

it('ignores alerts of a product that the venue no longer has', () => {
  const { judge } = judgeOf(openMarket(10_000))
  const alert = { ...alertOf('old', 1, false, 0), productId: 'GONE' }
  judge.follow([alert])
  judge.resume([{ ...alert, joined: true }], new Map())
  expect(judge.all()).toEqual([])
})

/** What the rule itself says: the first tick after its creation that reaches it. */
const isReachedBy = ({ rises, price, afterSeq }: WaitingAlert, prices: readonly number[]): boolean =>
  prices.slice(afterSeq).some((each) => (rises ? each >= price : each <= price))

type Event =
  | { kind: 'ticks'; prices: number[] }
  | { kind: 'create'; price: number; rises: boolean; delay: number }
  | { kind: 'save' }
  | { kind: 'restart'; missed: number[]; isKilled: boolean }

it('finds each alert exactly once, whatever ticks come and whenever it restarts', async () => {
  const price = fc.integer({ min: 1, max: 12 })
  const prices = fc.array(price, { maxLength: 6 })
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ kind: fc.constant('ticks' as const), prices }),
    fc.record({
      kind: fc.constant('create' as const),
      price,
      rises: fc.boolean(),
      delay: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({ kind: fc.constant('save' as const) }),
    fc.record({ kind: fc.constant('restart' as const), missed: prices, isKilled: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
      const market = openMarket(6)
      const ticks = [6]
      /** The database: alerts that wait, and how far they are judged. */
      const waiting = new Map<string, WaitingAlert>()
      let progress = new Map<string, number>()
      const created: WaitingAlert[] = []
      const unseen: { alert: WaitingAlert; delay: number }[] = []
      const found: string[] = []
      let run = judgeOf(market)
      const flush = (list: readonly number[]): void => {
        ticks.push(...list)
        market.flushPrices({ TEST: list })
      }
      /** What the judge has found is stored, as the venue does before it saves how far it is. */
      const settle = async (): Promise<void> => {
        await run.judge.idle()
        found.push(...run.reached)
        for (const id of run.reached.splice(0)) waiting.delete(id)
      }
      for (const each of events) {
        for (const entry of unseen.splice(0)) {
          if (entry.delay === 0) run.judge.follow([entry.alert])
          else unseen.push({ ...entry, delay: entry.delay - 1 })
        }
        if (each.kind === 'ticks') flush(each.prices)
        if (each.kind === 'create') {
          const alert = alertOf(`a${created.length}`, each.price, each.rises, ticks.length)
          created.push(alert)
          waiting.set(alert.id, alert)
          unseen.push({ alert, delay: each.delay })
        }
        if (each.kind === 'save') {
          await settle()
          const state = run.judge.state()
          progress = new Map([...progress, ...state.progress])
          for (const alert of state.unmarked) {
            alert.joined = true
            const stored = waiting.get(alert.id)
            if (stored) waiting.set(alert.id, { ...stored, joined: true })
          }
        }
        if (each.kind === 'restart') {
          // What was found and not stored yet is found again.
          if (!each.isKilled) await settle()
          run.stop()
          unseen.length = 0
          flush(each.missed)
          run = judgeOf(market)
          const alerts = [...waiting.values()].map((alert) => ({ ...alert }))
          run.judge.resume(alerts, progress)
          run.judge.follow(alerts.filter(({ joined }) => !joined))
        }
      }
      run.judge.follow(unseen.map(({ alert }) => alert))
      await settle()
      const expected = created.filter((alert) => isReachedBy(alert, ticks)).map(({ id }) => id)
      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: 300 },
  )
})
