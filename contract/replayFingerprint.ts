/** How a recording is played, ms: see `scheduleRecording`. */
export type ReplaySettings = { pauseMs: number; closedPauseMs: number; periodMs?: number | undefined }
/** The file and the settings that determine each tick of a replayed source, together with the source's epoch. */
export type Replay = ReplaySettings & { sha256: string }

/** `replay:<SHA-256 of the file, hex>:<pauseMs>:<closedPauseMs>[:<periodMs>]` */
export function replayFingerprint({ sha256, pauseMs, closedPauseMs, periodMs }: Replay): string {
  const settings = [pauseMs, closedPauseMs, ...(periodMs === undefined ? [] : [periodMs])]
  return ['replay', sha256, ...settings].join(':')
}

/** The replay that a source's fingerprint names; undefined for every other kind of source. */
export function replayOf(fingerprint: string): Replay | undefined {
  const match = /^replay:([0-9a-f]{64}):(\d+):(\d+)(?::(\d+))?$/.exec(fingerprint)
  if (!match) return undefined
  const [, sha256 = '', pauseMs, closedPauseMs, periodMs] = match
  return {
    sha256,
    pauseMs: Number(pauseMs),
    closedPauseMs: Number(closedPauseMs),
    periodMs: periodMs === undefined ? undefined : Number(periodMs),
  }
}

/** Whether a source plays mirrored prices at `at`: the even passes of a replay with a period. */
export function isMirroredAt(
  { fingerprint, epoch }: { fingerprint: string; epoch: number },
  at: number,
): boolean {
  const periodMs = replayOf(fingerprint)?.periodMs
  return periodMs !== undefined && isMirroredPass({ epoch, periodMs }, at)
}

/** Whether the pass at `at` is an even one: those play mirrored prices. */
export const isMirroredPass = (passes: { epoch: number; periodMs: number }, at: number): boolean =>
  Math.floor((at - passes.epoch) / passes.periodMs) % 2 === 0
