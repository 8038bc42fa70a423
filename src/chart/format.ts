import { priceUnits } from '../../contract/units.ts'
import type { Language } from '../../contract/constants.ts'
import { minuteMs, secondMs } from '../../contract/time.ts'
import { localeOf, noValue, type Format } from '../text/format.ts'
import { dayMonth } from '../text/formatDate.ts'
import type { FigureKind } from './indicators/kinds.ts'
import type { AxisTime, ChartFormat } from './types.ts'

/** The formats of a chart of bars of `tfMs` in a language and a zone, at a product's decimals. */
export function chartFormat(
  format: Pick<Format, 'price' | 'decimal' | 'compact'>,
  language: Language,
  zone: string,
  priceDecimals: number,
  tfMs: number,
): ChartFormat {
  const scale = 10 ** priceDecimals
  const minutes = { hour: '2-digit', minute: '2-digit' } as const
  const clock = part('en-GB', zone, minutes)
  const seconds = part('en-GB', zone, { ...minutes, second: '2-digit' })
  const fractions = part('en-GB', zone, { ...minutes, second: '2-digit', fractionalSecondDigits: 2 })
  const barClock = tfMs < secondMs ? fractions : tfMs < minuteMs ? seconds : clock
  const locale = localeOf(language)
  const kinds: Record<AxisTime, Intl.DateTimeFormat> = {
    time: clock,
    second: seconds,
    day: part(locale, zone, dayMonth(language)),
    month: part(locale, zone, { month: 'short' }),
    year: part(locale, zone, { year: 'numeric' }),
  }
  const price = (value: number): string => format.price(priceUnits(Math.round(value * scale)), priceDecimals)
  const figures: Record<FigureKind, (value: number) => string> = {
    price,
    // Averages of prices differ by less than the smallest step of a price.
    difference: (value) => format.decimal(value.toFixed(priceDecimals + 1)),
    percent: (value) => format.decimal(value.toFixed(2)),
    volume: (value) => format.compact(String(value)),
  }
  return {
    price,
    figure: (value, kind) => (Number.isFinite(value) ? figures[kind](value) : noValue),
    axisTime: (at, kind) => kinds[kind].format(at),
    fullTime: (at) => `${kinds.day.format(at)} ${barClock.format(at)}`,
  }
}

/** A format costs as much as drawing a few bars, and a chart needs most of the same ones in every timeframe. */
const known = new Map<string, Intl.DateTimeFormat>()

function part(locale: string, zone: string, parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const options = { ...parts, timeZone: zone, calendar: 'gregory', hourCycle: 'h23' } as const
  const key = JSON.stringify([locale, options])
  const format = known.get(key) ?? new Intl.DateTimeFormat(locale, options)
  known.set(key, format)
  return format
}
