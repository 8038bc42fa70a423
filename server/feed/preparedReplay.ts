import { setImmediate } from 'node:timers/promises'
import { parseRecordingInSteps, scheduleRecording } from '../../contract/recording.ts'
import type { Recording, ScheduledRecording } from '../../contract/recording.ts'
import { replayFingerprint } from '../../contract/replayFingerprint.ts'
import type { ReplaySettings } from '../../contract/replayFingerprint.ts'
import type { RecordingFile } from './recordingFile.ts'

/** A recording, ready to be replayed. Its columns are shared memory, so other threads get them without a copy. */
export type PreparedReplay = {
  scheduled: ScheduledRecording
  /** As `replayFingerprint` writes it. */
  fingerprint: string
  /** The day of its first tick, `2022-01-15`. */
  day: string
  /** How many of its rows are not ticks. */
  skipped: number
}

/** @throws RangeError if it is not a recording, or does not fit into its period */
export async function prepareReplay(
  { csv, sha256 }: RecordingFile,
  replay: ReplaySettings,
  decimals: { price: number; size: number | undefined },
): Promise<PreparedReplay> {
  const recording = await parseInSteps(csv, decimals.price, decimals.size)
  const { offset, passes, size, ...rest } = scheduleRecording(recording, replay)
  const [even, odd] = passes
  return {
    scheduled: {
      ...rest,
      offset: toShared(offset),
      passes: [toShared(even), toShared(odd)],
      size: toShared(size),
    },
    fingerprint: replayFingerprint({ sha256, ...replay }),
    day: new Date(recording.at[0] ?? 0).toISOString().slice(0, 10),
    skipped: recording.skipped,
  }
}

/** Lets other work of this thread run between steps: the heartbeat of a lease must not wait for a whole recording. */
async function parseInSteps(csv: string, priceDecimals: number, sizeDecimals?: number): Promise<Recording> {
  const steps = parseRecordingInSteps(csv, priceDecimals, sizeDecimals)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await setImmediate()
  }
}

function toShared(column: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(column.byteLength))
  shared.set(column)
  return shared
}
