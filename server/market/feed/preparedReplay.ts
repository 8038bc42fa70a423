import { scheduleRecording, type ScheduledRecording } from '../../../contract/recording.ts'
import type { SkippedRows } from '../../../contract/recordingReader.ts'
import { replayFingerprint, type ReplaySettings } from '../../../contract/replayFingerprint.ts'
import { narrowed, type ReadDecimals } from './builtColumns.ts'
import { readRecording, type RecordingPath } from './recordingFile.ts'

/** A recording, ready to be replayed. Its columns are shared memory, so other threads get them without a copy. */
export type PreparedReplay = {
  scheduled: ScheduledRecording
  /** As `replayFingerprint` writes it. */
  fingerprint: string
  /** The day of its first tick, `2022-01-15`. */
  day: string
  /** Its rows that are not ticks. */
  skipped: SkippedRows | null
}

/** @throws Error with one line if the file is not a recording, RangeError if it does not fit into its period */
export async function prepareReplay(
  path: RecordingPath,
  replay: ReplaySettings,
  decimals: ReadDecimals,
): Promise<PreparedReplay> {
  const { recording, sha256 } = await readRecording(path, decimals)
  const { offset, passes, size, ...rest } = scheduleRecording(recording, replay)
  const [even, odd] = passes
  return {
    scheduled: {
      ...rest,
      offset: narrowed(offset, shared),
      passes: [narrowed(even, shared), narrowed(odd, shared)],
      size: narrowed(size, shared),
    },
    fingerprint: replayFingerprint({ sha256, ...replay }),
    day: new Date(recording.at[0] ?? 0).toISOString().slice(0, 10),
    skipped: recording.skippedRows ?? null,
  }
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)
