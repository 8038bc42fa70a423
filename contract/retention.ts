import { dayMs, hourMs, minuteMs } from './time.ts'

/** How long something is kept: for texts as a count of a unit, for jobs in milliseconds. */
export type Kept = { count: number; unit: keyof typeof unitMs; ms: number }

/** Months and years by their mean length. */
const unitMs = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  month: 30.5 * dayMs,
  year: 365.25 * dayMs,
}

export const kept = (count: number, unit: Kept['unit']): Kept => ({ count, unit, ms: count * unitMs[unit] })

/**
 * How long what is stored about people is kept. Jobs delete by it, the privacy pages are rendered from it, and
 * docs/operating.md is compared with it.
 */
export const retention = {
  /** An unused session; its device and address are deleted with it. */
  sessionUnused: kept(24, 'hour'),
  /** Any session, and what a device keeps for offline use. */
  session: kept(30, 'day'),
  loginHistory: kept(90, 'day'),
  messages: kept(6, 'month'),
  unusedPictures: kept(24, 'hour'),
  /** After the decision; the operator may set it otherwise, also the next one. */
  rejectedPhotos: kept(30, 'day'),
  /** For a closed account: the data that the law requires the venue to keep. */
  closedData: kept(5, 'year'),
  /** The answers of keyed requests, encrypted. The contract promises seven days; one more covers differences between clocks. */
  answers: kept(8, 'day'),
  /** Counts of wrong passwords at login. */
  failedLogins: kept(1, 'hour'),
  /** Counts of wrong codes and transaction passwords. */
  wrongCodes: kept(24, 'hour'),
  /** A known device, by the lifetime of its cookie. */
  knownDevice: kept(365, 'day'),
  /** A notification that could not be delivered to a device. */
  notifications: kept(1, 'hour'),
} as const satisfies Record<string, Kept>
