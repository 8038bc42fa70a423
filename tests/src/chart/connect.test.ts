// @vitest-environment happy-dom
import { Subject } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { Candle } from '../../../contract/candles.ts'
import { connect } from '../../../src/chart/Chart.tsx'
import { listenShortcuts } from '../../../src/chart/shortcuts.ts'
import type { ChartSetup } from '../../../src/chart/port.ts'
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

function connected() {
  const { factory, made } = fakeCharts()
  const events = new Subject<CandleEvent>()
  const loadOlder = vi.fn()
  const reading = createReadout()
  const port = factory(document.createElement('div'), setup)
  const stop = connect(port, { events$: events, loadOlder }, reading)
  return { chart: made[0]!, port, events, loadOlder, reading, stop }
}

describe('a chart and its feed', () => {
  it('takes the snapshot, then the live bar, and tells the newest', () => {
    const { chart, events, reading } = connected()
    events.next({ kind: 'snapshot', candles: [candle(1), candle(2)] })
    expect(reading.get().newest?.openAt).toBe(2)
    events.next({ kind: 'live', candle: candle(2, 5) })
    events.next({ kind: 'live', candle: candle(3) })
    expect(chart.bars.map(({ openAt, close }) => [openAt, close])).toEqual([
      [1, 1],
      [2, 5],
      [3, 1],
    ])
    expect(reading.get().newest?.openAt).toBe(3)
  })

  it('asks for older bars until there are none, and again after a new snapshot', () => {
    const { chart, events, loadOlder } = connected()
    events.next({ kind: 'snapshot', candles: [candle(9)] })
    chart.scrollToOldest()
    events.next({ kind: 'older', candles: [candle(8)], done: true })
    chart.scrollToOldest()
    expect(loadOlder).toHaveBeenCalledTimes(1)
    events.next({ kind: 'snapshot', candles: [candle(9)] })
    chart.scrollToOldest()
    expect(loadOlder).toHaveBeenCalledTimes(2)
  })

  it('tells the bar under the crosshair, and lets go of everything', () => {
    const { chart, events, reading, loadOlder, stop } = connected()
    const bar = candle(4)
    chart.moveCrosshair(bar)
    expect(reading.get().hovered).toBe(bar)
    stop()
    chart.moveCrosshair(undefined)
    chart.scrollToOldest()
    expect(reading.get().hovered).toBe(bar)
    expect(loadOlder).not.toHaveBeenCalled()
    expect(events.observed).toBe(false)
  })

  it('is read with the keyboard', () => {
    const { chart, port } = connected()
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
