import { expect, it } from 'vitest'
import { isMirroredAt, replayFingerprint, replayOf } from '../../contract/replayFingerprint.ts'

const sha256 = 'a'.repeat(64)
const looped = { sha256, pauseMs: 600_000, closedPauseMs: 60_000 }
const daily = { sha256, pauseMs: 600_000, closedPauseMs: 0, periodMs: 86_400_000 }

it.each([
  [looped, `replay:${sha256}:600000:60000`],
  [daily, `replay:${sha256}:600000:0:86400000`],
])('names a replay by its file and settings, and reads it back', (replay, fingerprint) => {
  expect(replayFingerprint(replay)).toBe(fingerprint)
  expect(replayOf(fingerprint)).toEqual(replay)
})

it.each(['synthetic:7:5:6100000:0.02', `replay:${sha256}:1`, `replay:${sha256}:1:2:3:4`])(
  'reads no replay from %s',
  (fingerprint) => expect(replayOf(fingerprint)).toBeUndefined(),
)

it('mirrors the even passes of a replay with a period, and says nothing of the others', () => {
  const epoch = 1000
  const source = { fingerprint: replayFingerprint(daily), epoch }
  expect(isMirroredAt(source, epoch)).toBe(true)
  expect(isMirroredAt(source, epoch + 86_400_000)).toBe(false)
  expect(isMirroredAt(source, epoch + 2 * 86_400_000)).toBe(true)
  expect(isMirroredAt({ fingerprint: replayFingerprint(looped), epoch }, epoch)).toBe(false)
})
