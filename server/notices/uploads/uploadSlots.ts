import { ApiError } from '../../platform/apiError.ts'
import type { Clock } from '../../platform/ports.ts'

/** A file stays in memory while it is received (unencrypted documents never go to disk), so the number is limited. */
const slotsMax = 24
/** Slots of one sender; only one while at least half of all slots are taken. */
const ownMax = 3
const crowdedFrom = slotsMax / 2
/** An upload that is slower than this on average is terminated, after a grace period for the connection to start. */
const bytesPerSecondMin = 16 * 1024
const graceMs = 5000
const checkEveryMs = 1000
/** No upload may take longer than this. */
const durationMaxMs = 120_000

/** One upload in progress. */
export type IncomingUpload = {
  /** The member's id, or `staff` and a name. */
  sender: string
  /** Bytes received so far. */
  bytes: () => number
  /** Closes the connection. */
  terminate: () => void
}
/** Assigns a slot to an upload while it is received and decoded. */
export type UploadSlots = {
  /**
   * `received` ends the speed check, `release` frees the slot.
   * @throws ApiError `UNAVAILABLE` if no slot is free
   */
  acquire(incoming: IncomingUpload): { received(): void; release(): void }
}

export function createUploadSlots(clock: Clock): UploadSlots {
  const owners: string[] = []
  return {
    acquire: ({ sender, bytes, terminate }) => {
      const ownCount = owners.filter((owner) => owner === sender).length
      const ownSlots = owners.length >= crowdedFrom ? 1 : ownMax
      if (ownCount >= ownSlots || owners.length >= slotsMax) throw new ApiError('UNAVAILABLE')
      owners.push(sender)
      const startedAt = clock.now()
      let cancel = (): void => undefined
      const check = (): void => {
        const elapsedMs = clock.now() - startedAt
        const minBytes = (bytesPerSecondMin * elapsedMs) / 1000
        if (elapsedMs >= durationMaxMs || bytes() < minBytes) terminate()
        else cancel = clock.at(clock.now() + checkEveryMs, check)
      }
      cancel = clock.at(startedAt + graceMs, check)
      return {
        received: () => cancel(),
        release: () => {
          cancel()
          owners.splice(owners.indexOf(sender), 1)
        },
      }
    },
  }
}
