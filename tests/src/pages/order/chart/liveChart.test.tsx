// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { StreamsProvider } from '../../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../../src/i18n.ts'
import { LiveChart } from '../../../../../src/pages/order/chart/LiveChart.tsx'
import { sampleOrder } from '../../../../support/sampleOrder.ts'
import { setup, flushTimers } from '../../../../support/streamsSetup.ts'
import { mount } from '../../../ui/mount.tsx'

const venue = vi.hoisted(() => ({ unreachable: false }))
vi.mock('../../../../../src/api/venue.ts', () => ({
  call: () =>
    Promise.resolve(
      venue.unreachable
        ? { ok: false, failure: { kind: 'offline' } }
        : {
            ok: true,
            at: 0,
            value: { ticks: [[1, 1_000_500, '100.00', '1']], complete: true, before: null },
          },
    ),
}))

const order = sampleOrder({
  status: 'open',
  productId: 'A',
  entry: { seq: 1, at: 1_000_500, price: '100.00' },
})

async function openChart() {
  const { streams, transport, market, passSecond } = setup()
  market.now = 1_001_000
  transport.up()
  await flushTimers()
  const setIntervalSpy = vi.spyOn(globalThis, 'setInterval')
  const clearIntervalSpy = vi.spyOn(globalThis, 'clearInterval')
  const chart = await mount(
    <StreamsProvider value={streams}>
      <LiveChart order={order} />
    </StreamsProvider>,
  )
  const drawing =
    setIntervalSpy.mock.results[setIntervalSpy.mock.calls.findIndex(([, ms]) => (ms ?? 0) <= 250)]
  const timer: unknown = drawing?.value
  expect(timer).toBeDefined()
  const isStopped = () => clearIntervalSpy.mock.calls.some(([id]) => (id as unknown) === timer)
  return { ...chart, transport, market, passSecond, isStopped }
}

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  vi.useFakeTimers()
  venue.unreachable = false
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('LiveChart', () => {
  it('releases the product and clears its timer on unmount', async () => {
    const { container, render, transport, passSecond, market, isStopped } = await openChart()
    await act(passSecond)
    // The first tick is already in the log.
    market.tick('A', 10_000)
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

  it('shows a placeholder if the history cannot be loaded', async () => {
    venue.unreachable = true
    const { container, transport } = await openChart()
    await act(async () => transport.down())
    await act(() => flushTimers(300))
    await act(() => flushTimers(2000))
    expect(container.textContent).toBe('The chart will load when you’re back online')
    expect(container.querySelector('figure')).toBeNull()
  })
})
