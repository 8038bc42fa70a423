import { expect, it } from 'vitest'
import {
  drawLineNames,
  drawLinePrices,
  labelHeight,
  labelledPrices,
  lineLabels,
} from '../../../src/chart/primitives/lineLabels.ts'
import type { RenderState } from '../../../src/chart/renderState.ts'
import type { ChartLine, ChartMark, LabelledPrice } from '../../../src/chart/types.ts'

const height = 350
const mark = (direction: ChartMark['direction'], price: number | undefined, exit?: number): ChartMark => ({
  id: `${direction} ${price}`,
  direction,
  entry: price === undefined ? undefined : { at: 0, price },
  closeAt: 30_000,
  exit: exit === undefined ? undefined : { at: 30_000, price: exit },
  window: undefined,
})
const lines: ChartLine[] = [
  { kind: 'line', price: 60, name: 'Support' },
  { kind: 'alert', price: 200, name: 'Alert' },
]

it('labels the entries of open orders and the lines: not an order that waits for its entry or has ended', () => {
  const marks = [mark('up', 100), mark('down', undefined), mark('down', 120, 130)]
  expect(labelledPrices(marks, lines)).toEqual([{ kind: 'up', price: 100, name: '' }, ...lines])
})

/** What is labelled where, on an axis on which a price is its height. */
const placed = (labelled: readonly LabelledPrice[], tagY?: number) =>
  lineLabels({ labelled }, (price) => price, tagY, height).map(({ kind, price, y }) => [kind, price, y])

it.each<[string, ChartMark[], number | undefined, unknown[]]>([
  ['at its price', [mark('up', 100)], 150, [['up', 100, 100]]],
  ['away from the tag', [mark('up', 145)], 150, [['up', 145, 130]]],
  [
    'away from a line',
    [mark('down', 65)],
    150,
    [
      ['down', 65, 65],
      ['line', 60, 45],
    ],
  ],
  ['once for orders at about the same price', [mark('up', 100), mark('up', 104)], 150, [['up', 100, 100]]],
  ['without a direction for orders in both', [mark('up', 100), mark('down', 104)], 150, [['both', 100, 100]]],
  [
    'each of orders farther apart',
    [mark('up', 100), mark('down', 112)],
    150,
    [
      ['up', 100, 92],
      ['down', 112, 112],
    ],
  ],
  ['not out of sight', [mark('up', 340)], 150, []],
])('puts the entry on the axis %s', (title, marks, tagY, labels) => {
  const shown = title === 'away from a line' ? lines.slice(0, 1) : []
  expect(placed(labelledPrices(marks, shown), tagY)).toEqual(labels)
})

it('leaves out a label that would be cut at the bottom, and lets none touch another', () => {
  const alerts = Array.from({ length: 20 }, (_, i): ChartLine => ({
    kind: 'alert',
    price: 280 + i,
    name: '',
  }))
  const ys = placed(alerts, 285).map(([, , y]) => Number(y))
  expect(ys.length).toBeLessThan(alerts.length)
  const sorted = [...ys, 285].sort((a, b) => a - b)
  expect(sorted.at(-1)).toBeLessThanOrEqual(height - labelHeight / 2)
  for (const [i, y] of sorted.slice(1).entries())
    expect(y - (sorted[i] ?? 0)).toBeGreaterThanOrEqual(labelHeight)
})

/** The texts that a painter writes, each with its colour and those of its box. */
function painted(
  draw: typeof drawLinePrices,
  labelled: readonly LabelledPrice[],
  width = 64,
  legendLines = 0,
): unknown[] {
  const written: unknown[] = []
  const box = { fill: '', stroke: '' }
  const set: Record<string, unknown> = {}
  const calls: Record<string, (...args: unknown[]) => unknown> = {
    measureText: () => ({ width: 30 }),
    beginPath: () => Object.assign(box, { fill: '', stroke: '' }),
    fill: () => (box.fill = String(set['fillStyle'])),
    stroke: () => (box.stroke = String(set['strokeStyle'])),
    fillText: (text) => written.push([text, set['fillStyle'], box.fill, box.stroke]),
  }
  const context = new Proxy(set, {
    get: (_, name) => calls[String(name)] ?? (() => undefined),
    set: (_, name, value) => Reflect.set(set, name, value),
  })
  const names = ['accent', 'ground', 'text2', 'text3', 'up', 'down']
  const state = {
    theme: Object.fromEntries(names.map((name) => [name, name])),
    format: { price: String },
    labelled,
    legendLines,
  } as unknown as RenderState
  const useMediaCoordinateSpace = (paint: (scope: object) => void): void =>
    paint({ context, mediaSize: { width, height } })
  draw({ useMediaCoordinateSpace } as never, state, () =>
    lineLabels(state, (price) => price, undefined, height),
  )
  return written
}

it('fills the labels of lines, outlines those of alerts in a quiet colour, and those of orders in their direction’s', () => {
  const labelled = labelledPrices([mark('down', 100), mark('up', 150), mark('down', 152)], lines)
  expect(painted(drawLinePrices, labelled)).toEqual([
    ['100', 'down', 'ground', 'down'],
    ['150', 'text2', 'ground', 'text3'],
    ['60', 'ground', 'accent', ''],
    ['200', 'text2', 'ground', 'text3'],
  ])
  expect(painted(drawLineNames, labelled)).toEqual([
    ['Support', 'ground', 'accent', ''],
    ['Alert', 'text2', 'ground', 'text3'],
  ])
})

it('writes no name behind the values of indicators on a phone, and keeps its price', () => {
  const labelled = labelledPrices(
    [],
    [
      { kind: 'alert', price: 12, name: 'Alert' },
      { kind: 'line', price: 60, name: 'Support' },
    ],
  )
  const namesAt = (width: number, legendLines: number) =>
    painted(drawLineNames, labelled, width, legendLines).map((written) => (written as unknown[])[0])
  expect(namesAt(253, 1)).toEqual(['Support'])
  expect(namesAt(253, 0)).toEqual(['Alert', 'Support'])
  expect(namesAt(900, 1)).toEqual(['Alert', 'Support'])
  expect(painted(drawLinePrices, labelled, 64, 1)).toHaveLength(2)
})
