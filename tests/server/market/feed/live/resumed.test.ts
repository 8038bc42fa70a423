import { expect, it } from 'vitest'
import { ResumedLog } from '../../../../../server/market/feed/live/resumed.ts'
import type { LogLevel } from '../../../../../server/platform/ports.ts'

function opened() {
  const lines: [LogLevel, string][] = []
  return { lines, log: new ResumedLog((...line) => lines.push(line), 'kraken') }
}
const a = { from: 0, to: 1200, isGap: false }
const b = { from: 0, to: 3400, isGap: true }

it('logs products with a gap as a warning and those without as good news, each once', () => {
  const { lines, log } = opened()
  log.add('A', a)
  log.add('B', b)
  for (const now of [7400, 7600]) log.log(now, () => true)
  expect(lines).toEqual([
    ['warn', 'kraken is heard again after 3.4 s, a gap: B'],
    ['info', 'kraken is heard again after 1.2 s, no gap: A'],
  ])
})

it('logs interruptions that follow each other as one, once it is over', () => {
  const { lines, log } = opened()
  for (let i = 0; i < 10; i++) {
    log.add('A', { from: i * 3000, to: i * 3000 + 2000, isGap: i === 3 })
    log.log(i * 3000 + 2200, () => true)
  }
  expect(lines).toEqual([])
  log.log(40_000, () => true)
  expect(lines).toEqual([['warn', 'kraken is heard again after 29.0 s, a gap: A']])
})

it('does not name a product of which nothing has arrived', () => {
  const { lines, log } = opened()
  log.add('A', b)
  log.add('B', b)
  log.log(10_000, (id) => id === 'A')
  log.log(20_000, () => true)
  expect(lines).toEqual([['warn', 'kraken is heard again after 3.4 s, a gap: A']])
})
