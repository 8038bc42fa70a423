// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { afterEach, expect, it } from 'vitest'
import type { PriceAlert } from '../../../../contract/priceAlerts.ts'
import { epochMs } from '../../../../contract/units.ts'
import { createReadout, emptyReadout } from '../../../../src/chart/readout.ts'
import type { ChartLine } from '../../../../src/chart/types.ts'
import { useAlertLines } from '../../../../src/pages/product/useAlertLines.ts'
import { session } from '../../../../src/state/session.ts'
import { flushAnswers } from '../../../support/flushAnswers.ts'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'

const alertOf = (index: number, rest: Partial<PriceAlert> = {}): PriceAlert => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  productId: 'EURUSD',
  kind: 'above',
  price: '1.10',
  createdAt: epochMs(index),
  status: 'waiting',
  version: 1,
  ...rest,
})
const bar = { openAt: 0, open: 1, high: 1, low: 1, close: 1, volume: 0, lastSeq: 1 }

afterEach(() => {
  session.token = null
})

async function showChart(token: string | null) {
  session.token = token
  const { streams, transport } = streamsSetup()
  const readout = createReadout()
  let shown: readonly ChartLine[] = []
  function Lines() {
    const lines = useAlertLines({ id: 'EURUSD' }, readout)
    useEffect(() => {
      shown = lines
    })
    return null
  }
  const items = [alertOf(2), alertOf(1, { productId: 'GC', price: '1900.0' })]
  const { requests } = await openPage(<Lines />, {
    streams,
    answers: { '/price-alerts?limit=20': [200, { items, nextCursor: null }] },
  })
  const settle = async (change: () => void) => {
    await act(async () => change())
    await flushAnswers()
  }
  return {
    requests,
    lines: () => shown,
    bars: (newest: typeof bar | undefined) =>
      settle(() => readout.set(newest === undefined ? emptyReadout : { newest })),
    event: (alert: PriceAlert) => settle(() => transport.event('alert', alert)),
  }
}

it('draws the product’s open alerts once its chart has bars, live, and keeps them in another timeframe', async () => {
  const { requests, lines, bars, event } = await showChart('token')
  expect(requests.length).toBe(0)
  await bars(bar)
  const first = { kind: 'alert', price: 1.1, name: 'Alert' }
  expect(lines()).toEqual([first])
  const added = alertOf(3, { price: '1.05' })
  await event(added)
  expect(lines()).toEqual([{ ...first, price: 1.05 }, first])
  await event({ ...added, status: 'reached', version: 2 })
  await bars(undefined)
  await bars(bar)
  expect(lines()).toEqual([first])
  expect(requests.length).toBe(1)
})

it('asks for none of a guest', async () => {
  const { requests, lines, bars } = await showChart(null)
  await bars(bar)
  expect([requests.length, lines()]).toEqual([0, []])
})
