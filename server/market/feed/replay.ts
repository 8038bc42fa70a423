import { tickCountAt, tradingHoursAt, tickAt, type ScheduledRecording } from '../../../contract/recording.ts'
import type { SkippedRows } from '../../../contract/recordingReader.ts'
import { dayMs, hourMs } from '../../../contract/time.ts'
import { noTicks, type ComputedFeed, type ComputedSource } from './feed.ts'

/** A recording that is played by the day has a month of them, any other a day. */
const historyOf = (recording: ScheduledRecording): number => (cycleOf(recording) ? 31 * dayMs : dayMs)

/** A pass and its mirrored one, if they take whole hours. */
function cycleOf({ period, offset }: ScheduledRecording): ComputedFeed['cycle'] {
  const ms = 2 * period
  return ms % hourMs === 0 ? { ms, ticks: 2 * offset.length } : undefined
}

/** An endless replay of a scheduled recording; its first pass starts at `epoch`. */
export function replayFeed(recording: ScheduledRecording, epoch: number): ComputedFeed {
  return {
    kind: 'computed',
    due: (after, until) => dueTicks(recording, epoch, after, until),
    tradingHoursAt: (t) => tradingHoursAt(recording, epoch, t),
    openingPrice: recording.passes[0][0] ?? 0,
    countAt: (t) => tickCountAt(recording, epoch, t),
    tickOf: (n) => tickAt(recording, epoch, n),
    cycle: cycleOf(recording),
  }
}

/**
 * A recording as a feed source. It can compute the time before its first start.
 * @param fingerprint as `replayFingerprint` writes it
 */
export function replaySource(
  recording: ScheduledRecording,
  fingerprint: string,
  label: string,
  skipped: SkippedRows | null,
): ComputedSource {
  const open = (epoch: number): ComputedFeed => replayFeed(recording, epoch)
  return { kind: 'computed', fingerprint, label, historyMs: historyOf(recording), skipped, open }
}

/** Walks the columns of each pass in order, which is cheaper than looking up every tick. */
function dueTicks(
  recording: ScheduledRecording,
  epoch: number,
  after: number,
  until: number,
): readonly number[] {
  const count = recording.offset.length
  let n = tickCountAt(recording, epoch, after)
  const end = tickCountAt(recording, epoch, until)
  if (n >= end) return noTicks
  const values: number[] = []
  while (n < end) {
    const pass = Math.floor(n / count)
    const base = pass * count
    const start = epoch + pass * recording.period
    const prices = recording.passes[pass % 2 === 0 ? 0 : 1]
    const stop = Math.min(end, base + count)
    for (let i = n - base; i < stop - base; i++) {
      values.push(start + (recording.offset[i] ?? 0), prices[i] ?? 0, recording.size[i] ?? 0)
    }
    n = stop
  }
  return values
}
