// @vitest-environment happy-dom
import { of } from 'rxjs'
import { expect, it } from 'vitest'
import type { CurvePoint, OwnResults, ResultGroup } from '../../../contract/results.ts'
import { epochMs } from '../../../contract/units.ts'
import en from '../../../locales/en.json' with { type: 'json' }
import { pnlLine } from '../../../src/pages/results/PnlCurve.tsx'
import { Results } from '../../../src/pages/results/Results.tsx'
import { openPage } from '../../support/openPage.tsx'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { one } from '../ui/mount.tsx'

const at = (day: number) => epochMs(Date.UTC(2026, 0, day, 12))
const pointOf = (orders: number, pnl: string): CurvePoint => ({ orders, at: at(orders), pnl })
const group: ResultGroup = {
  orders: 3,
  won: 2,
  lost: 1,
  tied: 0,
  refunded: 0,
  stake: '30.00',
  pnl: '7.00',
  shares: null,
}
const shares = { rightBp: 6000, lowBp: 4100, highBp: 7600, breakEvenBp: 5400 }
const resultsOf = (shown: Pick<ResultGroup, 'shares'>): OwnResults => ({
  total: { ...group, ...shown },
  curve: [pointOf(1, '8.50'), pointOf(2, '-1.50'), pointOf(3, '7.00')],
  byProduct: [{ productId: 'A', ...group }],
  byDuration: [],
  byDirection: [],
  byMonth: [],
})
const days = {
  month: '2026-01',
  firstMonth: '2026-01',
  days: [
    { on: '2026-01-01', ...group, shares: undefined },
    { on: '2026-01-03', ...group, shares: undefined },
  ],
}

async function open(results: OwnResults) {
  const { streams } = streamsSetup()
  const clock = { now: () => at(5), second$: of(at(5)) }
  const { container } = await openPage(<Results />, {
    hash: '#/pages/results/results',
    streams: { ...streams, clock },
    answers: { '/me/results': [200, results], '/me/results/days?month=2026-01': [200, days] },
  })
  return container.textContent
}

it('begins with the curve, which says in words what it shows', async () => {
  await open(resultsOf({ shares: null }))
  expect(one('svg[role=img]').getAttribute('aria-label')).toBe(
    'P&L from 1 Jan 2026 to 3 Jan 2026: low −1.50, high +8.50, latest +7.00',
  )
})

it('explains shares only where there are any', async () => {
  expect(await open(resultsOf({ shares: null }))).not.toContain('Wilson')
  expect(await open(resultsOf({ shares }))).toContain('Wilson')
})

it('lists the days with orders, newest first, and no others', async () => {
  const text = await open(resultsOf({ shares: null }))
  const [saturday, thursday] = ['Sat 3 Jan', 'Thu 1 Jan'].map((day) => text.replaceAll(',', '').indexOf(day))
  expect(saturday).toBeGreaterThan(-1)
  expect(thursday).toBeGreaterThan(saturday ?? Infinity)
  expect(text).not.toContain('Fri')
  expect(text).not.toContain(en.results.noDay)
})

it('draws the line from zero through each sum, as far apart as their numbers of orders', () => {
  expect(pnlLine([pointOf(1, '10.00'), pointOf(4, '-10.00')])).toEqual({
    path: 'M0 20L25 1L100 39',
    zeroY: 20,
  })
})

it('draws a level line in the middle if nothing was won or lost', () => {
  expect(pnlLine([pointOf(1, '0.00')])).toEqual({ path: 'M0 20L100 20', zeroY: 20 })
})
