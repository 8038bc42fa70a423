// @vitest-environment happy-dom
import { Subject } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { connect } from '../../../src/chart/Chart.tsx'
import { listenShortcuts } from '../../../src/chart/shortcuts.ts'
import type { ChartSetup } from '../../../src/chart/types.ts'
import { createReadout } from '../../../src/chart/readout.ts'
import type { CandleEvent } from '../../../streams/index.ts'
import { fakeCharts } from '../../support/fakeChart.ts'

const candle = (openAt: number, close = 1): Candle => ({
  openAt,
  open: 1,
  high: 1,
  low: 1,
  close,
  volume: 1,
  lastSeq: openAt,
})
const setup = { mode: 'candles' } as ChartSetup

function setupConnected() {
  const { factory, made } = fakeCharts()
  const events = new Subject<CandleEvent>()
  const loadOlder = vi.fn()
  const readout = createReadout()
  const port = factory(document.createElement('div'), setup)
  const stop = connect(port, { events$: events, loadOlder }, readout)
  return { chart: made[0]!, port, events, loadOlder, readout, stop }
}

describe('connect', () => {
  it('passes the snapshot and live bars to the chart, and publishes the newest', () => {
    const { chart, events, readout } = setupConnected()
    events.next({ kind: 'snapshot', candles: [candle(1), candle(2)] })
    expect(readout.get().newest?.openAt).toBe(2)
    events.next({ kind: 'live', candle: candle(2, 5) })
    events.next({ kind: 'live', candle: candle(3) })
    expect(chart.bars.map(({ openAt, close }) => [openAt, close])).toEqual([
      [1, 1],
      [2, 5],
      [3, 1],
    ])
    expect(readout.get().newest?.openAt).toBe(3)
  })

  it('tells a chart that has come without bars from one that loads', () => {
    const { events, readout } = setupConnected()
    expect(readout.get()).toMatchObject({ loaded: false, newest: undefined })
    events.next({ kind: 'snapshot', candles: [] })
    expect(readout.get()).toMatchObject({ loaded: true, newest: undefined })
  })

  it('requests older bars until there are none, and again after a new snapshot', () => {
    const { chart, events, loadOlder } = setupConnected()
    events.next({ kind: 'snapshot', candles: [candle(9)] })
    chart.scrollToOldest()
    events.next({ kind: 'older', candles: [candle(8)], done: true })
    chart.scrollToOldest()
    expect(loadOlder).toHaveBeenCalledTimes(1)
    events.next({ kind: 'snapshot', candles: [candle(9)] })
    chart.scrollToOldest()
    expect(loadOlder).toHaveBeenCalledTimes(2)
  })

  it('publishes the bar under the crosshair, and releases everything on stop', () => {
    const { chart, events, readout, loadOlder, stop } = setupConnected()
    const bar = candle(4)
    chart.moveCrosshair(bar)
    expect(readout.get().hovered).toBe(bar)
    stop()
    chart.moveCrosshair(undefined)
    chart.scrollToOldest()
    expect(readout.get().hovered).toBe(bar)
    expect(loadOlder).not.toHaveBeenCalled()
    expect(events.observed).toBe(false)
  })

  it('listenShortcuts moves the crosshair by keyboard', () => {
    const { chart, port } = setupConnected()
    const box = document.createElement('figure')
    const stop = listenShortcuts(box, port)
    for (const key of ['ArrowLeft', 'PageUp', 'ArrowRight', 'End', 'a']) {
      box.dispatchEvent(new KeyboardEvent('keydown', { key }))
    }
    stop()
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }))
    expect([chart.steps, chart.fits, box.tabIndex]).toEqual([[-1, -10, 1], 1, 0])
  })
})
