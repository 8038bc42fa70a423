import { ApiError } from '../apiError.ts'
import type { Clock } from '../ports.ts'

/** A whole file is held in memory while it is read (a paper in plain is never on the disk): so many at once at most. */
const slotsMax = 24
/** Of one member; a single one while more than half of all places are taken. */
const ownMax = 3
const crowdedFrom = slotsMax / 2
/** Whoever sends more slowly than this on average is cut off, after a moment in which a connection may still be starting. */
const bytesPerSecondMin = 16 * 1024
const graceMs = 5000
const checkEveryMs = 1000
/** Nobody takes longer than this, however fast. */
const longestMs = 120_000

/** One upload on its way in. */
export type IncomingUpload = {
  memberId: string
  /** Bytes that have come so far. */
  bytes: () => number
  /** Closes its connection. */
  terminate: () => void
}
/** Gives an upload a place while it is received and read. */
export type UploadSlots = {
  /**
   * `received` ends the watch over its speed, `leave` gives the place back.
   * @throws Refusal 503 `UNAVAILABLE` if there is no place for it
   */
  acquire(incoming: IncomingUpload): { received(): void; release(): void }
}

export function createUploadSlots(clock: Clock): UploadSlots {
  const owners: string[] = []
  return {
    acquire: ({ memberId, bytes, terminate }) => {
      const ownCount = owners.filter((one) => one === memberId).length
      const ownSlots = owners.length >= crowdedFrom ? 1 : ownMax
      if (ownCount >= ownSlots || owners.length >= slotsMax) throw new ApiError(503, 'UNAVAILABLE')
      owners.push(memberId)
      const startedAt = clock.now()
      let cancel = (): void => undefined
      const check = (): void => {
        const tookMs = clock.now() - startedAt
        const minBytes = (bytesPerSecondMin * tookMs) / 1000
        if (tookMs >= longestMs || bytes() < minBytes) terminate()
        else cancel = clock.at(clock.now() + checkEveryMs, check)
      }
      cancel = clock.at(startedAt + graceMs, check)
      return {
        received: () => cancel(),
        release: () => {
          cancel()
          owners.splice(owners.indexOf(memberId), 1)
        },
      }
    },
  }
}
