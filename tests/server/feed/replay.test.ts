import { describe, expect, it } from 'vitest'
import { parseRecording, scheduleRecording } from '../../../contract/recording.ts'
import { replayFeed, replaySource } from '../../../server/feed/replay.ts'
import { csvOf } from '../../support/marketFixtures.ts'

const epoch = 1_700_000_000_000
const rows = Array.from(
  { length: 300 },
  (_, i) =>
    [Math.floor(i / 2) * 777, (100 + ((i * 37) % 50) / 100 + i / 100).toFixed(2), `${i % 7}.5`] as const,
)
const played = scheduleRecording(parseRecording(csvOf(rows), 2), 600_000, 60_000)
const feed = replayFeed(played, epoch)

/** Every tick of some passes, found one by one. */
function walked(passes: number): number[] {
  return Array.from({ length: passes * rows.length }, (_, n) => feed.tickOf(n)).flatMap((t) => [
    t.at,
    t.price,
    t.size,
  ])
}

describe('an endless replay', () => {
  it('gives every tick once, in order, however time is cut', () => {
    const whole = walked(5)
    const end = whole.at(-3)!
    for (const step of [333, 60_000, 1_000_000]) {
      const got: number[] = []
      for (let at = epoch - 1; at < end; at += step) got.push(...feed.due(at, Math.min(end, at + step)))
      expect(got).toEqual(whole)
    }
  })

  it('takes in its last instant and leaves out its first', () => {
    const { at } = feed.tickOf(4)
    expect(feed.due(at, at)).toEqual([])
    expect(feed.due(at - 1, at).filter((_, i) => i % 3 === 0)).toEqual([at, at])
  })

  it('goes on over a pass without a jump: every second pass leads back to where it began', () => {
    const last = (pass: number) => feed.tickOf((pass + 1) * rows.length - 1)
    const first = (pass: number) => feed.tickOf(pass * rows.length)
    expect(first(1).price).toBe(last(0).price)
    expect(last(1).price).toBe(first(0).price)
    expect(first(2)).toEqual({ ...first(0), at: first(0).at + 2 * played.period })
    expect(first(1).at - last(0).at).toBe(1000)
  })

  it('has a day of past, and none before its epoch', () => {
    expect(feed.due(0, epoch - 1)).toEqual([])
    expect(replaySource(played, 'f', 'l', 3)).toMatchObject({
      historyMs: 86_400_000,
      fingerprint: 'f',
      skipped: 3,
    })
  })
})
