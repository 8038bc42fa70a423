import type { TFunction } from 'i18next'
import type { Format } from '../../text/format.ts'

/**
 * Noon of the day that a source replays, from its name `recording: NAME (2019-02-04), looped`; undefined for other
 * prices. Noon, because the date is shown in the device's zone.
 */
export function replayAt(source: string): number | undefined {
  const day = /^recording: .*\((\d{4}-\d{2}-\d{2})\)/.exec(source)?.[1]
  return day === undefined ? undefined : Date.parse(`${day}T12:00:00Z`)
}

/** A source's display name: `EURUSD dukascopy`, `Binance`; undefined for synthetic prices, which have no source. */
export function sourceName(source: string): string | undefined {
  const label = /^(?:recording|live): (.+)$/.exec(source)?.[1]
  if (label === undefined) return source === 'synthetic' ? undefined : source
  return label
    .replace(/(?: \([\d-]+\))?, looped$/, '')
    .replace(/_\d{4}-\d{2}-\d{2}(?:T\d{4})?$/, '')
    .replaceAll('_', ' ')
}

/** What a member reads of a source: its name, with the day that it replays, or that its prices are simulated. */
export function namedSource(text: string, { t, format }: { t: TFunction; format: Format }): string {
  const name = sourceName(text) ?? t('proof.sourceSynthetic')
  const at = replayAt(text)
  return at === undefined ? name : `${name} (${format.date(at)})`
}
