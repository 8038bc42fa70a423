import { describe, expect, it } from 'vitest'
import { parseRecording, scheduleRecording } from '../../../../contract/recording.ts'
import { replayFeed, replaySource } from '../../../../server/market/feed/replay.ts'
import { csvOf } from '../../../support/marketFixtures.ts'

const epoch = 1_700_000_000_000
const rows = Array.from(
  { length: 300 },
  (_, i) =>
    [Math.floor(i / 2) * 777, (100 + ((i * 37) % 50) / 100 + i / 100).toFixed(2), `${i % 7}.5`] as const,
)
const recording = scheduleRecording(parseRecording(csvOf(rows), 2), {
  pauseMs: 600_000,
  closedPauseMs: 60_000,
})
const feed = replayFeed(recording, epoch)

/** Every tick of the first passes, looked up one by one. */
function ticksOf(passes: number): number[] {
  return Array.from({ length: passes * rows.length }, (_, n) => feed.tickOf(n)).flatMap(
    ({ at, price, size }) => [at, price, size],
  )
}

describe('replayFeed', () => {
  it('returns every tick once and in order, whatever the step', () => {
    const all = ticksOf(5)
    const end = all.at(-3)!
    for (const step of [333, 60_000, 1_000_000]) {
      const due: number[] = []
      for (let at = epoch - 1; at < end; at += step) due.push(...feed.due(at, Math.min(end, at + step)))
      expect(due).toEqual(all)
    }
  })

  it('includes the last instant and excludes the first', () => {
    const { at } = feed.tickOf(4)
    expect(feed.due(at, at)).toEqual([])
    expect(feed.due(at - 1, at).filter((_, i) => i % 3 === 0)).toEqual([at, at])
  })

  it('mirrors every second pass, so that the price does not jump between passes', () => {
    const last = (pass: number) => feed.tickOf((pass + 1) * rows.length - 1)
    const first = (pass: number) => feed.tickOf(pass * rows.length)
    expect(first(1).price).toBe(last(0).price)
    expect(last(1).price).toBe(first(0).price)
    expect(first(2)).toEqual({ ...first(0), at: first(0).at + 2 * recording.period })
    expect(first(1).at - last(0).at).toBe(1000)
  })

  it('has a day of history and no ticks before its epoch', () => {
    expect(feed.due(0, epoch - 1)).toEqual([])
    expect(replaySource(recording, 'f', 'l', null)).toMatchObject({
      historyMs: 86_400_000,
      fingerprint: 'f',
      skipped: null,
    })
  })
})
