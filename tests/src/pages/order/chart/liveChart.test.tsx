// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../../../contract/units.ts'
import type { Failure } from '../../../../../streams/index.ts'
import { LiveChart } from '../../../../../src/pages/order/chart/LiveChart.tsx'
import { openPage } from '../../../../support/openPage.tsx'
import { sampleOrder } from '../../../../support/sampleOrder.ts'
import { streamsSetup, flushTimers } from '../../../../support/streamsSetup.ts'

const order = sampleOrder({
  status: 'open',
  productId: 'A',
  entry: { seq: 1, at: epochMs(1_000_500), price: '100.00' },
})

async function openChart({ isUp = true, failure }: { isUp?: boolean; failure?: Failure } = {}) {
  const { streams, transport, market, passSecond } = streamsSetup()
  market.now = 1_000_500
  market.tick('A', 10_000)
  market.now = 1_001_000
  market.failure = failure
  if (isUp) transport.up()
  await flushTimers()
  const setIntervalSpy = vi.spyOn(globalThis, 'setInterval')
  const clearIntervalSpy = vi.spyOn(globalThis, 'clearInterval')
  const chart = await openPage(<LiveChart order={order} />, { streams })
  const drawing =
    setIntervalSpy.mock.results[setIntervalSpy.mock.calls.findIndex(([, ms]) => (ms ?? 0) <= 250)]
  const timer: unknown = drawing?.value
  expect(timer).toBeDefined()
  const isStopped = () => clearIntervalSpy.mock.calls.some(([id]) => (id as unknown) === timer)
  return { ...chart, transport, market, passSecond, isStopped }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('LiveChart', () => {
  it('releases the product and clears its timer on unmount', async () => {
    const { container, render, transport, passSecond, market, isStopped } = await openChart()
    await act(passSecond)
    market.tick('A', 10_012)
    await act(passSecond)
    await act(() => flushTimers(300))
    expect(container.textContent).toContain('100.12')
    expect(transport.subscribed.has('A')).toBe(true)
    expect(isStopped()).toBe(false)
    await render(null)
    expect(isStopped()).toBe(true)
    await act(() => flushTimers(10_000))
    expect(transport.subscribed.has('A')).toBe(false)
  })

  it('stops drawing shortly after the close', async () => {
    const { passSecond, isStopped } = await openChart()
    for (let i = 0; i < 25; i++) await act(passSecond)
    expect(isStopped()).toBe(false)
    for (let i = 0; i < 10; i++) await act(passSecond)
    expect(isStopped()).toBe(true)
  })

  it.each<[string, Parameters<typeof openChart>[0], string]>([
    ['its history cannot be loaded', { failure: { kind: 'broken' } }, 'Loading chart…'],
    ['the venue cannot be reached', { isUp: false }, 'The chart will load when you’re back online'],
  ])('shows a placeholder if %s', async (_reason, options, text) => {
    const { container } = await openChart(options)
    for (let i = 0; i < 4; i++) await act(() => flushTimers(1000))
    expect(container.textContent).toBe(text)
    expect(container.querySelector('figure')).toBeNull()
  })
})
