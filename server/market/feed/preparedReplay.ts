import { scheduleRecording } from '../../../contract/recording.ts'
import { replayFingerprint, type ReplaySettings } from '../../../contract/replayFingerprint.ts'
import { narrowed, readBuiltReplay, type PreparedReplay, type ReadDecimals } from './builtReplay.ts'
import { parseFile, readUnchanged, type RecordingPath } from './recordingFile.ts'

const defaultPauseMs = 600_000

/**
 * How a row of the product table plays its recording. With a period the times of day are those of the recording, so pauses
 * are played as recorded.
 */
export const replaySettingsOf = (
  { pauseMs = defaultPauseMs, periodMs }: { pauseMs?: number | undefined; periodMs?: number | undefined },
  closedPauseMs: number,
): ReplaySettings => ({ pauseMs, closedPauseMs: periodMs === undefined ? closedPauseMs : 0, periodMs })

/**
 * The replay that the build has, otherwise that of the recording's text.
 * @throws Error with one line if the file is not a recording, RangeError if it does not fit into its period
 */
export function prepareReplay(
  path: RecordingPath,
  replay: ReplaySettings,
  decimals: ReadDecimals,
): Promise<PreparedReplay> {
  return readUnchanged(path, async (full, sha256) => {
    const fingerprint = replayFingerprint({ sha256, ...replay })
    const built = await readBuiltReplay(fingerprint, decimals)
    if (built !== null) return built
    const recording = await parseFile(full, decimals)
    const { offset, passes, size, ...rest } = scheduleRecording(recording, replay)
    const [even, odd] = passes
    return {
      scheduled: {
        ...rest,
        offset: narrowed(offset),
        passes: [narrowed(even), narrowed(odd)],
        size: narrowed(size),
      },
      fingerprint,
      day: new Date(recording.at[0] ?? 0).toISOString().slice(0, 10),
      skipped: recording.skippedRows ?? null,
    }
  })
}
