// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import type { ProductReport, StatusReport } from '../../../contract/status.ts'
import { epochMs } from '../../../contract/units.ts'
import { changeLanguage } from '../../../src/text/i18n.ts'
import { Status } from '../../../src/pages/status/Status.tsx'
import { openPage } from '../../support/openPage.tsx'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { createTestClient, errorBody } from '../../support/testClient.ts'
import { click, one, pollScreen } from '../ui/mount.tsx'

const at = Date.UTC(2026, 0, 30, 12)
const hash = `abcdef${'0'.repeat(54)}9876`
const product: ProductReport = {
  id: 'EURUSD',
  code: 'EUR/USD',
  names: { en: 'Euro / US dollar' },
  state: 'open',
  opensAt: null,
  head: { seq: 1234, hash },
  sources: [
    { sinceAt: at - 86_400_000, fingerprint: 'f', epoch: 0, text: 'live: Kraken', refundedOrders: 0 },
  ],
  gapCount: 0,
  gapMs: 0,
  gaps: [],
  refundedOrders: 0,
  outcomes: null,
}
const report: StatusReport = {
  at: epochMs(at),
  from: epochMs(Date.UTC(2026, 0, 1)),
  site: { status: 'up', opensAt: null },
  products: [product],
  frozen: { theft_reported: 0, death: 0, order_of_authority: 0 },
  log: { name: 'venue.test/log/1', size: 5000, at: epochMs(at), witnesses: [] },
  checks: {
    results: { at: epochMs(at), orders: 1234, differing: 0, differedAt: null },
    log: { at: epochMs(at), ticks: 5_000_000, damaged: 0, damagedAt: null },
    books: null,
  },
}

const { answers, call } = createTestClient()
beforeEach(async () => {
  answers.clear()
  await changeLanguage('en')
})

const text = (): string => document.body.textContent
const items = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map((element) => element.textContent)

async function open(shown: StatusReport = report): Promise<void> {
  answers.set('/status', answers.get('/status') ?? [200, shown])
  const { streams } = streamsSetup([], {})
  await openPage(<Status />, { streams, call })
  await pollScreen(() => document.querySelector('[data-skeleton]')).toBeNull()
}

const gapOf = (i: number) => {
  const to = at - i * 3_600_000
  return { from: to - 40_000, to, refundedOrders: i === 0 ? 1 : 0 }
}

it('shows the state, the source, the newest tick and the log', async () => {
  await open()
  expect(text()).toContain('All products are running')
  expect(one('section').textContent).toContain('Euro / US dollar EUR/USD')
  expect(one('section').textContent).toContain('KrakenIn use since29 Jan 2026')
  expect(one('section').textContent).not.toContain('#1234')
  expect(text()).toContain('#1234 · abcdef…9876')
  expect(one('section').textContent).toContain('GapsNone')
  expect(text()).toContain('venue.test/log/1')
  expect(text()).toContain('No witnesses sign this log yet.')
  expect(text()).not.toMatch(/later changes? (would )?show|gets the same log/)
})

it('says what was checked, and how many differences there ever were', async () => {
  await open()
  expect(text()).toContain('Results re-checkedOrders: 1,234')
  expect(text()).toContain('Price log verifiedEntries: 5,000,000')
  expect(text()).toContain('Accounts reconcilednone yet')
  expect(text()).toContain('Differences foundNone')
})

it('shows a difference with its time', async () => {
  const { checks } = report
  const books = { at: epochMs(at), postings: 10, differing: 2 }
  await open({ ...report, checks: { ...checks, books } })
  expect(text()).toMatch(/Differences found2, latest \d/)
})

it('copies the whole hash of the newest tick', async () => {
  const copied: string[] = []
  const writeText = async (written: string) => void copied.push(written)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  await open()
  await click(one('section button'))
  expect(copied).toEqual([`1234 ${hash}`])
})

it('counts the products that take no orders', async () => {
  const others = (['paused', 'maintenance', 'closed'] as const).map((state) => ({
    ...product,
    id: state.toUpperCase(),
    state,
  }))
  await open({ ...report, products: [product, ...others] })
  expect(text()).toContain('2 of 4 products are paused')
  expect(items('section h2 + span')).toEqual(['Open', 'Paused', 'Under Maintenance', 'Market closed'])
})

it('shows maintenance of the whole site first', async () => {
  await open({ ...report, site: { status: 'maintenance', opensAt: null } })
  expect(one('main p').textContent).toBe('Under Maintenance')
})

it('says from how many orders on outcomes are shown', async () => {
  await open()
  expect(text()).toContain('Results appear here once there are 100 orders')
})

it('shows outcomes beside the break-even share', async () => {
  const decided = { wonBp: 4904, breakEvenBp: 5405 }
  const outcomes = { orders: 1200, wonBp: 4810, lostBp: 4999, tiedBp: 91, refundedBp: 100, decided }
  await open({ ...report, products: [{ ...product, outcomes }], log: null })
  expect(text()).toContain('Results of 1,200 orders')
  expect(items('li section dl div').slice(-6)).toEqual([
    'Won48.10%',
    'Lost49.99%',
    'Tied0.91%',
    'Refunded1.00%',
    'Win rate, excluding ties and refunds49.04%',
    'Break-even win rate54.05%',
  ])
})

it('lists the newest gaps, and the others on request', async () => {
  const gaps = [0, 1, 2, 3, 4].map(gapOf)
  const lasting = { from: at - 5000, to: null, refundedOrders: 0 }
  await open({
    ...report,
    products: [{ ...product, gaps: [lasting, ...gaps], gapCount: 9, gapMs: 365_000, refundedOrders: 1 }],
  })
  expect(text()).toContain('Gaps9, 6 min in total')
  const rows = (): string[] => items('section ul li')
  expect(rows()).toHaveLength(3)
  expect(rows()[0]).toContain('ongoing5 s')
  expect(rows()[1]).toContain('40 s · 1 order refunded')
  expect(text()).not.toContain('Only the latest')
  await click(one('section p button'))
  expect(rows()).toHaveLength(6)
  expect(text()).toContain('Only the latest 6 are listed here')
})

it('shows replaced sources, the second source and when witnesses signed', async () => {
  const sources = [
    { ...product.sources[0]!, text: 'live: Binance', sinceAt: at - 2 * 86_400_000 },
    ...product.sources,
  ]
  const witness = { id: 'EURUSD~oanda', verdict: 'deviates' as const }
  const witnesses = [
    { name: 'one.test', seenAt: epochMs(at - 1000) },
    { name: 'two.test', seenAt: null },
  ]
  await open({ ...report, products: [{ ...product, sources, witness }], log: { ...report.log!, witnesses } })
  expect(items('section ul li')[0]).toContain('Binance, since 28 Jan 2026')
  expect(text()).toContain('Second sourceoanda · differs')
  expect(text()).toContain('one.test30 Jan 2026')
  expect(text()).toContain('two.testnone yet')
  expect(text()).toContain(
    'Witnesses sign it, so that everyone gets the same log and any later change is visible.',
  )
})

it('says in words that prices are simulated', async () => {
  const sources = [{ ...product.sources[0]!, text: 'synthetic' }]
  await open({ ...report, products: [{ ...product, sources }] })
  expect(text()).toContain('Simulated prices')
  expect(text()).not.toContain('synthetic')
})

it('shows a log without entries', async () => {
  await open({ ...report, log: null })
  expect(text()).toContain('The log has no entry yet')
})

it('is empty without products', async () => {
  await open({ ...report, products: [] })
  expect(one('h2').textContent).toBe('No products')
})

it('shows a failure and loads on retry', async () => {
  answers.set('/status', [503, errorBody('UNAVAILABLE')])
  await open()
  expect(one('[role=alert]').textContent).toContain('We couldn’t load the status')
  answers.set('/status', [200, report])
  await click(one('[role=alert] button'))
  await pollScreen(text).toContain('All products are running')
})
