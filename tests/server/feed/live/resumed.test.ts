import { expect, it } from 'vitest'
import { logResumed } from '../../../../server/feed/live/resumed.ts'
import type { LogLevel } from '../../../../server/ports.ts'

const a = { id: 'A', ms: 1200, isGap: false }
const b = { id: 'B', ms: 3400, isGap: true }

it.each([
  ['nothing', [], []],
  ['good news as info', [a], [['info', 'kraken is heard again after 1.2 s, no gap: A']]],
  ['a gap as a warning', [b], [['warn', 'kraken is heard again after 3.4 s, a gap: B']]],
  [
    'products with and without a gap apart, each once',
    [a, b, { ...a, ms: 900 }],
    [
      ['warn', 'kraken is heard again after 3.4 s, a gap: B'],
      ['info', 'kraken is heard again after 1.2 s, no gap: A'],
    ],
  ],
])('logs %s', (_name, resumed, expected) => {
  const lines: [LogLevel, string][] = []
  logResumed((level, what) => lines.push([level, what]), 'kraken', resumed)
  expect(lines).toEqual(expected)
})
