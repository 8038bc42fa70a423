// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { StreamsProvider } from '../../../../../src/hooks/useStreams.ts'
import { changeLanguage, startI18n } from '../../../../../src/i18n.ts'
import { LiveChart } from '../../../../../src/pages/order/chart/LiveChart.tsx'
import { sampleOrder } from '../../../../support/sampleOrder.ts'
import { setup, flushTimers } from '../../../../support/streamsSetup.ts'
import { mount } from '../../../ui/mount.tsx'

const venue = vi.hoisted(() => ({ away: false }))
vi.mock('../../../../../src/api/venue.ts', () => ({
  call: () =>
    Promise.resolve(
      venue.away
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

async function opened() {
  const { streams, transport, market, passSecond } = setup()
  market.now = 1_001_000
  transport.up()
  await flushTimers()
  const started = vi.spyOn(globalThis, 'setInterval')
  const ended = vi.spyOn(globalThis, 'clearInterval')
  const shown = await mount(
    <StreamsProvider value={streams}>
      <LiveChart order={order} />
    </StreamsProvider>,
  )
  const drawing = started.mock.results[started.mock.calls.findIndex(([, ms]) => (ms ?? 0) <= 250)]
  const timer: unknown = drawing?.value
  expect(timer).toBeDefined()
  const stopped = () => ended.mock.calls.some(([id]) => (id as unknown) === timer)
  return { ...shown, transport, market, second: passSecond, stopped }
}

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  vi.useFakeTimers()
  venue.away = false
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('the chart of an open order', () => {
  it('lets go of the product and of its timer when it is left', async () => {
    const { container, render, transport, second, market, stopped } = await opened()
    await act(second)
    // The first is in the log already.
    market.tick('A', 10_000)
    market.tick('A', 10_012)
    await act(second)
    await act(() => flushTimers(300))
    expect(container.textContent).toContain('100.12')
    expect(transport.subscribed.has('A')).toBe(true)
    expect(stopped()).toBe(false)
    await render(null)
    expect(stopped()).toBe(true)
    await act(() => flushTimers(10_000))
    expect(transport.subscribed.has('A')).toBe(false)
  })

  it('stops drawing a little after the close', async () => {
    const { second, stopped } = await opened()
    for (let i = 0; i < 25; i++) await act(second)
    expect(stopped()).toBe(false)
    for (let i = 0; i < 10; i++) await act(second)
    expect(stopped()).toBe(true)
  })

  it('says what it waits for where the past cannot be had', async () => {
    venue.away = true
    const { container, transport } = await opened()
    await act(async () => transport.down())
    await act(() => flushTimers(300))
    await act(() => flushTimers(2000))
    expect(container.textContent).toBe('The chart will load when you’re back online')
    expect(container.querySelector('figure')).toBeNull()
  })
})
