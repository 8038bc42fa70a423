import { expect, it, vi } from 'vitest'
import { labelMiddle, placedBeside } from '../../../src/chart/primitives/lineLabels.ts'
import { priceLinePrimitive } from '../../../src/chart/primitives/priceLine.ts'
import type { RenderState } from '../../../src/chart/renderState.ts'

it.each([
  [100, 200, 100],
  [4, 200, 10],
  [-80, 200, 10],
  [195, 200, 190],
  [900, 200, 190],
])('the tag of a price at %i px of %i is whole, at %i', (y, height, middle) => {
  expect(labelMiddle(y, height)).toBe(middle)
})

/** What is written on the axis, layer by layer; a price unit is 30 px. */
function writtenAt(crosshairY: number | undefined): unknown[] {
  const bar = { openAt: 0, open: 1, high: 1, low: 1, close: 1, volume: 0, lastSeq: 1 }
  const state = {
    theme: {},
    format: { price: String },
    bars: () => [bar],
    levels: [2, 3, 4],
    labelled: [{ kind: 'line', price: 4.2, name: 'A' }],
    crosshairY,
  } as unknown as RenderState
  const scales = {
    xOf: () => 0,
    yOf: (price: number) => price * 30,
    visible: () => undefined,
    pitch: () => 6,
  }
  return (priceLinePrimitive(state, scales).priceAxisPaneViews?.() ?? []).map((view) => {
    const texts: string[] = []
    const context = {
      beginPath: vi.fn(),
      roundRect: vi.fn(),
      fill: vi.fn(),
      fillText: (text: string) => texts.push(text),
    }
    const useMediaCoordinateSpace = (draw: (scope: object) => void): void =>
      draw({ context, mediaSize: { width: 64, height: 200 } })
    view.renderer()?.draw({ useMediaCoordinateSpace } as never)
    return [view.zOrder?.(), ...texts]
  })
}

it.each([
  ['beside the labels of lines', undefined, [['normal', '4.2'], ['normal'], ['top', '1'], ['top', '2', '3']]],
  ['under the label of the crosshair', 40, [['normal', '4.2'], ['normal', '1'], ['top'], ['top', '2', '3']]],
  [
    'above the others if the crosshair is elsewhere',
    60,
    [['normal', '4.2'], ['normal'], ['top', '1'], ['top', '3']],
  ],
])(
  'draws the tag of the newest price %s, and grid labels away from all of them',
  (_, crosshairY, written) => {
    expect(writtenAt(crosshairY)).toEqual(written)
  },
)

it.each<[string, number[], number | undefined, number[]]>([
  ['away from it', [30, 95, 150], 100, [30, 80, 150]],
  ['below it', [108], 100, [120]],
  ['on the same price above it', [100], 100, [80]],
  ['away from each other', [95, 90, 105, 110], 100, [80, 60, 120, 140]],
  ['below it if there is no room above', [12], 15, [35]],
  ['away from each other without a tag', [50, 55], undefined, [50, 70]],
])('puts labels beside the tag: %s', (_, ys, tagY, placed) => {
  expect(placedBeside(ys, tagY)).toEqual(placed)
})
