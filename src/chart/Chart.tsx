import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { timeframes } from '../../contract/candles.ts'
import type { Timeframe } from '../../contract/candles.ts'
import type { CandleFeed } from '../../streams/index.ts'
import { listenMenu } from './menu.ts'
import { listenShortcuts } from './shortcuts.ts'
import type { ChartExtras, ChartFactory, ChartFormat, ChartMark, ChartMode, ChartPort } from './port.ts'
import { emptyReadout } from './readout.ts'
import type { ReadoutStore } from './readout.ts'
import { readTheme, watchTheme } from './theme.ts'
import { zoneOffsetMs } from './zone.ts'
import styles from './Chart.module.css'

export type ChartProps = {
  factory: ChartFactory
  feed: CandleFeed
  timeframe: Timeframe
  priceDecimals: number
  zone: string
  mode: ChartMode
  marks: readonly ChartMark[]
  /** Undefined if there are none, or their code is not loaded yet. */
  extras: ChartExtras | undefined
  stale: boolean
  format: ChartFormat
  readout: ReadoutStore
  /** The member asks for the menu of the chart: at a price, or at none with the keyboard. */
  onMenu: (price: number | undefined) => void
  /** The label for screen readers: the product, and that a table shows the same. */
  label: string
}

/** A chart fed by a product's candles, the same in every timeframe. A change of product or zone starts a new one. */
export function Chart(props: ChartProps) {
  return <ChartBox key={`${props.zone} ${props.priceDecimals}`} {...props} />
}

/** Everything happens before the page is painted, so that bars that are there already are in its first picture. */
function ChartBox(props: ChartProps) {
  const { feed, readout, timeframe, format, mode, marks, extras, stale, onMenu } = props
  const box = useRef<HTMLElement>(null)
  const [port, setPort] = useState<ChartPort>()

  useLayoutEffect(() => port?.setFrame(timeframes[timeframe]), [port, timeframe])
  useLayoutEffect(() => port?.setFormat(format), [port, format])
  useLayoutEffect(() => port?.setMode(mode), [port, mode])
  useLayoutEffect(() => port?.setMarks(marks), [port, marks])
  useLayoutEffect(() => port?.setExtras(extras), [port, extras])
  useLayoutEffect(() => port?.setStale(stale), [port, stale])
  // The bars come last: they are laid out by all of the above.
  useLayoutEffect(() => port && connect(port, feed, readout), [port, feed, readout])
  useEffect(() => {
    const container = box.current
    if (port === undefined || container === null) return undefined
    return listenMenu(container, (clientY) =>
      onMenu(clientY === undefined ? undefined : port.priceAt(clientY)),
    )
  }, [port, onMenu])
  // Destroyed last, after everything above has let go of it.
  useNewChart(box, props, setPort)

  return <figure ref={box} className={styles.box} aria-label={props.label} />
}

function useNewChart(
  box: RefObject<HTMLElement | null>,
  props: ChartProps,
  onChart: (chart: ChartPort) => void,
): void {
  const first = useRef(props)
  useLayoutEffect(() => {
    const container = box.current
    if (container === null) return undefined
    const { factory, timeframe, priceDecimals, zone, mode, format } = first.current
    const chart = factory(container, {
      tfMs: timeframes[timeframe],
      priceDecimals,
      zoneOffsetMs: zoneOffsetMs(zone, Date.now()),
      mode,
      theme: readTheme(container),
      format,
    })
    const stopKeys = listenShortcuts(container, chart)
    const stopTheme = watchTheme(() => chart.setTheme(readTheme(container)))
    onChart(chart)
    return () => {
      stopTheme()
      stopKeys()
      chart.destroy()
    }
  }, [box, onChart])
}

/** Connects a feed to a chart, and the chart's requests for older bars to the feed. */
export function connect(port: ChartPort, feed: CandleFeed, readout: ReadoutStore): () => void {
  let oldestReached = false
  readout.set(emptyReadout)
  const stopOlder = port.onNeedOlder(() => {
    if (!oldestReached) feed.loadOlder()
  })
  const stopCrosshair = port.onCrosshair((hovered) => {
    if (readout.get().hovered !== hovered) readout.set({ hovered })
  })
  const stopReadings = port.onReadings((readings) => readout.set({ readings }))
  const events = feed.events$.subscribe((event) => {
    switch (event.kind) {
      case 'snapshot':
        oldestReached = false
        port.setSnapshot(event.candles)
        readout.set({ newest: event.candles.at(-1) })
        break
      case 'older':
        oldestReached = event.done
        port.prependOlder(event.candles)
        break
      case 'live':
        port.update(event.candle)
        readout.set({ newest: event.candle })
        break
    }
  })
  return () => {
    events.unsubscribe()
    stopReadings()
    stopCrosshair()
    stopOlder()
  }
}
