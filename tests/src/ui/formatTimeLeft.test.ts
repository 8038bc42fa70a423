import { expect, it } from 'vitest'
import { formatTimeLeft } from '../../../src/ui/formatTimeLeft.ts'

it.each([
  [-300, '0:00', '0', '00:00:00'],
  [0, '0:00', '0', '00:00:00'],
  [1, '0:01', '1', '00:00:01'],
  [41_001, '0:42', '42', '00:00:42'],
  [59_000, '0:59', '59', '00:00:59'],
  [59_999, '1:00', '1:00', '00:01:00'],
  [60_001, '1:01', '1:01', '00:01:01'],
  [252_000, '4:12', '4:12', '00:04:12'],
  [3_599_500, '1:00:00', '60:00', '01:00:00'],
  [8_076_000, '2:14:36', '134:36', '02:14:36'],
  [360_000_000, '100:00:00', '6000:00', '100:00:00'],
])('formats %i ms as %s in a row, %s in a ring and %s in full', (ms, row, ring, full) => {
  expect([formatTimeLeft(ms, 'row'), formatTimeLeft(ms, 'ring'), formatTimeLeft(ms, 'full')]).toEqual([
    row,
    ring,
    full,
  ])
})
