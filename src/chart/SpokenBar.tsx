import { useSyncExternalStore } from 'react'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { indicatorRules } from './indicators/kinds.ts'
import type { IndicatorReading, ChartFormat } from './types.ts'
import type { ReadoutStore } from './readout.ts'

export type SpokenBarProps = {
  readout: ReadoutStore
  format: ChartFormat
  /** The words for open, high, low and close. */
  words: Record<(typeof parts)[number], string>
}

const parts = ['open', 'high', 'low', 'close'] as const

/** What the crosshair reads, for screen readers: a member asks for it with the arrow keys. */
export function SpokenBar({ readout, format, words }: SpokenBarProps) {
  const { hovered, readings } = useSyncExternalStore(readout.watch, readout.get)
  const text =
    hovered === undefined
      ? ''
      : [
          format.fullTime(hovered.openAt),
          ...parts.map((part) => `${words[part]} ${format.price(hovered[part])}`),
          ...readings.flatMap((reading) => wordsOf(reading, format)),
        ].join(', ')
  return (
    <div aria-live="polite">
      <VisuallyHidden>{text}</VisuallyHidden>
    </div>
  )
}

function wordsOf(
  { indicator: { kind, params }, values, withoutVolume }: IndicatorReading,
  format: ChartFormat,
) {
  const { lines, figures, titled } = indicatorRules[kind]
  if (withoutVolume) return []
  return lines(params).map((name, line) => {
    const value = format.figure(values[line] ?? NaN, figures)
    return titled === true && line === 0 ? `${kind} ${name} ${value}` : `${name} ${value}`
  })
}
