import { expect, it } from 'vitest'
import { isBehindValues, sideOf } from '../../../src/chart/primitives/extremes.ts'

it.each([
  [20, undefined, 0, false],
  [20, 150, 0, true],
  [60, 150, 0, false],
  [60, 150, 2, true],
])(
  'a label at %i px, with the crosshair at %s and %i indicators, is behind the values: %s',
  (y, crosshairY, legendLines, isBehind) => {
    expect(isBehindValues(y, { crosshairY, legendLines })).toBe(isBehind)
  },
)

it.each([
  ['where there is more space', 100, [], 1],
  ['also from the right', 250, [], -1],
  ['away from a disc', 100, [{ x: 130, y: 54 }], -1],
  ['beside a disc at another height', 100, [{ x: 130, y: 90 }], 1],
  ['beside a disc behind its end', 100, [{ x: 190, y: 50 }], 1],
  [
    'nowhere between two discs',
    100,
    [
      { x: 130, y: 50 },
      { x: 60, y: 50 },
    ],
    undefined,
  ],
  ['not beyond the edge', 20, [{ x: 50, y: 50 }], undefined],
] as const)('a label of 60 px stands %s', (_, x, discs, side) => {
  expect(sideOf({ x, y: 50 }, 60, 300, discs)).toBe(side)
})
