import {
  instantFault,
  instantUnitOf,
  isRecordedInstant,
  msOfInstant,
  type InstantUnit,
} from '../../../../../contract/recordedInstant.ts'
import { UsageError } from '../command.ts'

/**
 * Epoch ms of a text; undefined if it is no instant.
 * @throws RangeError if it is one in another unit, or not from 1990 to 2100
 */
export type InstantReader = {
  (text: string): number | undefined
  /** Of a whole number, without its text; undefined if the text has to be read. */
  ofWhole?: (whole: number) => number | undefined
}

/** Numbers since 1970, in the first of these units unless they are instants in another of them. */
export function epochIn(first: InstantUnit, ...others: InstantUnit[]): InstantReader {
  const perMs = { seconds: 0.001, milliseconds: 1, microseconds: 1000, nanoseconds: 0 }
  const quick = [...others, first].map((unit) => perMs[unit])
  const ofWhole = (whole: number): number | undefined => {
    for (const per of quick) {
      const at = per < 1 ? whole / per : Math.floor(whole / per)
      // A whole number of seconds is one of milliseconds too.
      if (isRecordedInstant(at)) return Math.round(at)
    }
    return undefined
  }
  const ofText = (text: string): number | undefined => {
    const at = ofWhole(wholeNumber(text))
    if (at !== undefined) return at
    if (!/^\d{1,19}(\.\d+)?$/.test(text)) return undefined
    const likely = others.length > 0 ? instantUnitOf(Number(text)) : undefined
    const unit = likely !== undefined && others.includes(likely) ? likely : first
    const fault = instantFault(text, unit)
    if (fault !== undefined) throw new RangeError(fault)
    return msOfInstant(text, unit)
  }
  return Object.assign(ofText, { ofWhole })
}

/** Digits that a number holds exactly. */
const exactDigits = 15
/** NaN if a text is anything else than some digits. */
function wholeNumber(text: string): number {
  if (text.length > exactDigits + 1 || text === '') return Number.NaN
  let whole = 0
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return Number.NaN
    whole = whole * 10 + digit
  }
  return Number.isSafeInteger(whole) ? whole : Number.NaN
}

const date = String.raw`(?:(\d{4})[-./]?(\d\d)[-./]?(\d\d)|(\d\d)\.(\d\d)\.(\d{4}))`
const time = String.raw`([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d|60)(?:[.,]?(\d{1,9}))?`
/** `2019-02-04T10:00:00.123Z`, `20190204 100000123`, `04.02.2019 10:00:00.123 GMT+0200` and what is between them. */
const calendar = new RegExp(String.raw`^${date}[ T]${time} ?(Z|UTC|GMT)?([+-]\d\d:?\d\d)?$`)

/** Dates with a time of day, which is one of `zone` unless the text itself names an offset. */
export function calendarIn(zone: string): InstantReader {
  const toUtc = zoneOf(zone)
  return (text) => {
    const parts = calendar.exec(text)
    if (parts === null) return undefined
    const [, y1, m1, d1, d2, m2, y2, hours, minutes, seconds, fraction = '', utc, offset] = parts
    const month = Number(m1 ?? m2)
    const day = Number(d1 ?? d2)
    const midnight = Date.UTC(Number(y1 ?? y2), month - 1, day)
    const read = new Date(midnight)
    if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return undefined
    const ofDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
    const local = midnight + ofDay * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
    const at = offset === undefined ? (utc === undefined ? toUtc(local) : local) : local - offsetOf(offset)
    if (!isRecordedInstant(at)) throw new RangeError(`the instant ${text} is not between 1990 and 2100`)
    return at
  }
}

/** "+02:00" → 7 200 000 */
function offsetOf(text: string): number {
  const [hours, minutes] = [text.slice(1, 3), text.slice(-2)]
  return (text.startsWith('-') ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Offsets change at whole quarters of an hour. */
const quarterMs = 900_000

/** From the clock of a zone to UTC, both in ms. @throws UsageError if there is no such zone */
function zoneOf(zone: string): (local: number) => number {
  if (zone === 'UTC') return (local) => local
  if (/^[+-]\d\d:?\d\d$/.test(zone)) return (local) => local - offsetOf(zone)
  const offsets = formatterOf(zone)
  const offsetAt = (at: number): number => {
    const name = offsets.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return name === 'GMT' ? 0 : offsetOf(name.slice(3))
  }
  let known = { quarter: NaN, offset: 0 }
  return (local) => {
    const quarter = Math.floor(local / quarterMs)
    if (quarter !== known.quarter) known = { quarter, offset: offsetAt(local - offsetAt(local)) }
    return local - known.offset
  }
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    throw new UsageError(`there is no zone ${timeZone}`, '--zone is UTC, +02:00 or America/New_York')
  }
}
