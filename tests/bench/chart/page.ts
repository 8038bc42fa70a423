import type { Candle } from '../../../contract/candles.ts'
import type { Indicator } from '../../../src/chart/indicators/kinds.ts'
import { createLayer } from '../../../src/chart/indicators/layer.ts'
import { createLightweightChart } from '../../../src/chart/lightweight.ts'
import type { ChartPort } from '../../../src/chart/port.ts'
import type { ChartSetup } from '../../../src/chart/types.ts'
import { readTheme } from '../../../src/chart/theme.ts'

const tfMs = 60_000

/** A random walk from a seeded generator, so that two runs draw the same bars. */
function walk(count: number, endAt: number): Candle[] {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  let price = 1.1425
  return Array.from({ length: count }, (_, i) => {
    const open = price
    const close = open + (random() - 0.5) * 0.0003
    price = close
    return {
      openAt: endAt - (count - 1 - i) * tfMs,
      open,
      high: Math.max(open, close) + random() * 0.0001,
      low: Math.min(open, close) - random() * 0.0001,
      close,
      volume: 50 + Math.floor(random() * 200),
      lastSeq: i + 1,
    }
  })
}

export type LiveCost = { ticks: number; updateMs: number; busyMs: number; frames: number; seconds: number }

/** Loads `bars`, then feeds `perSecond` ticks for `seconds` and measures the cost on the main thread. */
async function live(
  bars: number,
  perSecond: number,
  seconds: number,
  indicators: readonly Indicator[] = [],
): Promise<LiveCost> {
  const port = open()
  if (indicators.length > 0) port.setExtras({ createLayer, indicators, lines: [] })
  const candles = walk(bars, Math.floor(Date.now() / tfMs) * tfMs)
  port.setSnapshot(candles)
  await waitUntilIdle()
  let last = candles[candles.length - 1] as Candle
  const cost: LiveCost = { ticks: 0, updateMs: 0, busyMs: 0, frames: 0, seconds }
  const start = performance.now()
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond)
    const from = performance.now()
    for (; cost.ticks < due; cost.ticks++) {
      const close = last.close + (cost.ticks % 2 === 0 ? 0.00001 : -0.00001)
      last = {
        ...last,
        close,
        high: Math.max(last.high, close),
        low: Math.min(last.low, close),
        lastSeq: last.lastSeq + 1,
      }
      port.update(last)
    }
    cost.updateMs += performance.now() - from
    cost.busyMs += await frameCost()
    cost.frames++
  }
  port.destroy()
  return cost
}

/** From the first callback of a frame to a message posted in it: the time for scripts and painting of the frame. */
function frameCost(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const from = performance.now()
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now() - from)
      channel.port2.postMessage(0)
    })
  })
}

async function waitUntilIdle(): Promise<void> {
  for (let i = 0; i < 30; i++) await frameCost()
}

function setup(): ChartSetup {
  return {
    tfMs,
    priceDecimals: 5,
    price: Number.NaN,
    zoneOffsetMs: 28_800_000,
    mode: 'candles',
    theme: readTheme(document.body),
    format: {
      price: (value) => value.toFixed(5),
      figure: (value) => value.toFixed(2),
      axisTime: (at) => new Date(at + 28_800_000).toISOString().slice(11, 16),
      fullTime: (at) => new Date(at + 28_800_000).toISOString().slice(0, 16),
    },
  }
}

function open(over: Partial<ChartSetup> = {}): ChartPort {
  document.body.replaceChildren()
  const box = document.createElement('div')
  box.style.cssText = 'width:100%;height:100%'
  document.body.append(box)
  return createLightweightChart(box, { ...setup(), ...over })
}

declare global {
  var chartBench: { open: typeof open; walk: typeof walk; live: typeof live }
}
globalThis.chartBench = { open, walk, live }
