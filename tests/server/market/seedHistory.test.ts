import { describe, expect, it } from 'vitest'
import { aggregateCandles, bucketOf, timeframes } from '../../../contract/candles.ts'
import { parseRecording, scheduleRecording } from '../../../contract/recording.ts'
import { dayMs, hourMs } from '../../../contract/time.ts'
import { MinuteBuckets } from '../../../server/market/candles/minuteBuckets.ts'
import { replayFeed, replaySource } from '../../../server/market/feed/replay.ts'
import { foldSeedHistory, minutesFrom, repeatedHours } from '../../../server/market/seedHistory.ts'
import { csvOf } from '../../support/marketFixtures.ts'

/** A day with a tick every ten minutes and a little more, so that no hour is like another. */
const rows = Array.from(
  { length: 140 },
  (_, i) => [i * 613_000, (100 + Math.sin(i / 9) * 5).toFixed(2), `${1 + (i % 5)}`] as const,
)
const recording = scheduleRecording(parseRecording(csvOf(rows), 2), {
  pauseMs: 700_000,
  closedPauseMs: 0,
  periodMs: dayMs,
})
const firstAt = Date.UTC(2026, 0, 31, 9, 17, 23)
const { historyMs } = replaySource(recording, 'f', 'l', null)

function candlesOf(history: Parameters<typeof foldSeedHistory>[0], from: number) {
  const buckets = new MinuteBuckets()
  for (const _ of foldSeedHistory(history, from, buckets));
  return Array.from({ length: buckets.count }, (_, i) => buckets.candle(i))
}

describe('the history of a recording that is played by the day', () => {
  const feed = replayFeed(recording, firstAt - historyMs)
  const history = { feed, from: firstAt - historyMs, firstAt }

  it('is a month', () => expect(historyMs).toBe(31 * dayMs))

  it('has the hours that all of its ticks would make, though only those of the newest cycle are computed', () => {
    const minutes = candlesOf(history, minutesFrom(history))
    expect(minutes[0]?.openAt).toBeGreaterThanOrEqual(firstAt - 2 * dayMs - hourMs)
    const hours = aggregateCandles([...repeatedHours(history, minutes), ...minutes], hourMs)
    // The first hour of the history is not whole.
    const whole = bucketOf(history.from, hourMs) + hourMs
    const all = aggregateCandles(candlesOf(history, whole), hourMs)
    expect(hours.filter(({ openAt }) => openAt >= whole)).toEqual(all)
  })

  it('has at least thirty bars of a day', () => {
    const minutes = candlesOf(history, minutesFrom(history))
    const days = aggregateCandles([...repeatedHours(history, minutes), ...minutes], timeframes['1d'])
    expect(days.length).toBeGreaterThanOrEqual(30)
  })

  it('has nothing before its first possible tick', () => {
    const late = { ...history, feed: replayFeed(recording, firstAt - dayMs) }
    expect(repeatedHours(late, candlesOf(late, minutesFrom(late)))).toEqual([])
  })
})

it('is a day for a recording of another length', () => {
  const short = scheduleRecording(parseRecording(csvOf(rows.slice(0, 5)), 2), {
    pauseMs: 700_000,
    closedPauseMs: 0,
  })
  expect(replaySource(short, 'f', 'l', null).historyMs).toBe(dayMs)
  expect(repeatedHours({ feed: replayFeed(short, 0), from: 0, firstAt: dayMs }, [])).toEqual([])
})
