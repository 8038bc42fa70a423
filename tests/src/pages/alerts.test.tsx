// @vitest-environment happy-dom
import { act } from 'react'
import { EMPTY, NEVER, Subject, of } from 'rxjs'
import { expect, it } from 'vitest'
import type { PriceAlert } from '../../../contract/priceAlerts.ts'
import { epochMs } from '../../../contract/units.ts'
import en from '../../../locales/en.json' with { type: 'json' }
import { Alerts } from '../../../src/pages/alerts/Alerts.tsx'
import { openPage } from '../../support/openPage.tsx'
import { streamsSetup } from '../../support/streamsSetup.ts'
import { errorBody, type TestAnswer } from '../../support/testClient.ts'
import { click, one } from '../ui/mount.tsx'

const alertOf = (id: string, productId: string, price: string): PriceAlert => ({
  id,
  productId,
  kind: 'above',
  price,
  createdAt: epochMs(Number(id)),
  status: 'waiting',
  version: 1,
})
const list = '/price-alerts?limit=20'
const waiting = [alertOf('3', 'B', '30.00'), alertOf('2', 'A', '20.00'), alertOf('1', 'B', '10.00')]

async function openAlerts(answer: TestAnswer) {
  const alert$ = new Subject<PriceAlert>()
  const { streams } = streamsSetup()
  const shown = {
    ...streams,
    catalog$: of({ state: 'ready', fresh: true, value: [{ id: 'B', code: 'B/USD', last: '5.00' }] }),
    event$: (name: string) => (name === 'alert' ? alert$ : EMPTY),
    quote$: () => NEVER,
  }
  const opened = await openPage(<Alerts />, { streams: shown, answers: { [list]: answer } })
  return { ...opened, reach: (alert: PriceAlert) => act(async () => alert$.next(alert)) }
}

const sections = () =>
  [...document.querySelectorAll('section')].map((section) => [
    section.querySelector('h2')?.textContent,
    ...[...section.querySelectorAll('li')].map((row) => row.textContent),
  ])

it('lists the alerts of all products, each under its product', async () => {
  await openAlerts([200, { items: waiting, nextCursor: null }])
  expect(sections()).toEqual([
    ['B/USD', 'Rises to 30.00', 'Rises to 10.00'],
    ['A', 'Rises to 20.00'],
  ])
  expect(one('h2 a').getAttribute('href')).toBe('#/pages/Detail/Detail?id=B')
  expect(document.body.textContent).toContain('3 of 20')
})

it('removes one, and drops one that is reached', async () => {
  const { answers, reach } = await openAlerts([200, { items: waiting, nextCursor: null }])
  answers.set('/price-alerts/3', [204, null])
  await click(one('[aria-label="Remove alert: B/USD rises to 30.00"]'))
  expect(sections().flat()).not.toContain('Rises to 30.00')
  await reach({ ...alertOf('2', 'A', '20.00'), status: 'reached', version: 2 })
  expect(sections()).toEqual([['B/USD', 'Rises to 10.00']])
})

it('says that there are none, and where to set one', async () => {
  await openAlerts([200, { items: [], nextCursor: null }])
  expect(document.body.textContent).toContain(en.alert.noneAtAll)
  expect(document.body.textContent).toContain(en.alert.noneText)
})

it('says that they could not be loaded', async () => {
  await openAlerts([503, errorBody('OVERLOADED', { params: { retryAfterMs: 60_000 } })])
  expect(document.body.textContent).toContain(en.alert.failed)
})
