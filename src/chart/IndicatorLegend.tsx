import { useSyncExternalStore } from 'react'
import { indicatorRules, isOverlay, type Indicator, type IndicatorKind } from './indicators/kinds.ts'
import { barsStretch, paneStretch, timeAxisHeight } from './geometry.ts'
import type { ChartFormat, IndicatorReading } from './types.ts'
import type { ReadoutStore } from './readout.ts'
import { VisuallyHidden } from '../ui/index.ts'
import { lettersOf } from './Legend.tsx'
import styles from './Legend.module.css'

export type IndicatorLegendProps = {
  indicators: readonly Indicator[]
  /** Its full name, which screen readers say before its values: the picture has only the short one. */
  nameOf: (kind: IndicatorKind) => string
  readout: ReadoutStore
  format: ChartFormat
}

const readingOf = (readings: readonly IndicatorReading[], { kind }: Indicator) =>
  readings.find(({ indicator }) => indicator.kind === kind)

/** The indicators over the bars, a line each: their values at the crosshair, else at the newest bar. */
export function OverlayLegend({ indicators, nameOf, readout, format }: IndicatorLegendProps) {
  const readings = useSyncExternalStore(readout.watch, () => readout.get().readings)
  return indicators
    .filter(({ kind }) => isOverlay(kind))
    .map((indicator) => (
      <IndicatorLine
        key={indicator.kind}
        indicator={indicator}
        name={nameOf(indicator.kind)}
        reading={readingOf(readings, indicator)}
        format={format}
      />
    ))
}

export type PaneLegendsProps = IndicatorLegendProps & {
  /** Instead of values if no bar has a volume. */
  noVolume: string
}

/** The indicators in panes, each at the top of its own. */
export function PaneLegends({ indicators, nameOf, readout, format, noVolume }: PaneLegendsProps) {
  const readings = useSyncExternalStore(readout.watch, () => readout.get().readings)
  const panes = indicators.filter(({ kind }) => !isOverlay(kind))
  const heights = barsStretch + panes.length * paneStretch
  return panes.map((indicator, i) => {
    const reading = readingOf(readings, indicator)
    const name = nameOf(indicator.kind)
    const share = (barsStretch + i * paneStretch) / heights
    return (
      <div
        key={indicator.kind}
        className={styles.pane}
        style={{ top: `calc((100% - ${timeAxisHeight}px) * ${share} + 2px)` }}
      >
        {reading?.withoutVolume === true ? (
          <p className={styles.legend}>
            <VisuallyHidden>{name}: </VisuallyHidden>
            {indicator.kind} <span>{noVolume}</span>
          </p>
        ) : (
          <IndicatorLine indicator={indicator} name={name} reading={reading} format={format} />
        )}
      </div>
    )
  })
}

type IndicatorLineProps = {
  indicator: Indicator
  name: string
  /** Undefined shows the names alone. */
  reading: IndicatorReading | undefined
  format: ChartFormat
}

const colors = [styles.series1, styles.series2, styles.series3]

function IndicatorLine({ indicator, name: fullName, reading, format }: IndicatorLineProps) {
  const { kind, params } = indicator
  const { titled, lines, bars, figures } = indicatorRules[kind]
  const names = lines(params)
  /** As the painter counts: what is drawn as bars has no colour of its own. */
  const colorOf = (line: number) =>
    line === bars ? undefined : colors[(bars === undefined || line < bars ? line : line - 1) % colors.length]
  const shown = names.map((name, line) => ({
    name,
    figure: reading && format.figure(reading.values[line] ?? NaN, figures),
  }))
  const text = shown.map(({ name, figure = '' }) => name + figure).join('')
  return (
    <p
      className={styles.legend}
      style={lettersOf(titled === true ? kind + text : text)}
      data-indicator={kind}
    >
      <VisuallyHidden>{fullName}: </VisuallyHidden>
      {titled === true && (
        <span className={styles.letter}>
          {kind} <span className={styles.params}>{params.join(',')}</span>
        </span>
      )}
      {shown.map(({ name, figure }, line) => (
        <span key={name} className={colorOf(line)}>
          {name}
          {figure !== undefined && ` ${figure}`}
        </span>
      ))}
    </p>
  )
}
