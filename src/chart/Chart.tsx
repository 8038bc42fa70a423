import { useEffect, useRef, useState } from 'react'
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

/** A chart fed by a product's candles. A change of product, timeframe or zone starts a new one. */
export function Chart(props: ChartProps) {
  const { format, mode, marks, extras, stale, onMenu } = props
  const box = useRef<HTMLElement>(null)
  const port = usePort(box, props)

  useEffect(() => port?.setMode(mode), [port, mode])
  useEffect(() => port?.setMarks(marks), [port, marks])
  useEffect(() => port?.setExtras(extras), [port, extras])
  useEffect(() => port?.setStale(stale), [port, stale])
  useEffect(() => port?.setFormat(format), [port, format])
  useEffect(() => {
    const container = box.current
    if (port === undefined || container === null) return undefined
    return listenMenu(container, (clientY) =>
      onMenu(clientY === undefined ? undefined : port.priceAt(clientY)),
    )
  }, [port, onMenu])

  return <figure ref={box} className={styles.box} aria-label={props.label} />
}

function usePort(box: RefObject<HTMLElement | null>, props: ChartProps): ChartPort | undefined {
  const { factory, feed, timeframe, priceDecimals, zone, readout } = props
  const [port, setPort] = useState<ChartPort>()
  const first = useRef(props)
  useEffect(() => {
    first.current = props
  })
  useEffect(() => {
    const container = box.current
    if (container === null) return undefined
    const chart = factory(container, {
      tfMs: timeframes[timeframe],
      priceDecimals,
      zoneOffsetMs: zoneOffsetMs(zone, Date.now()),
      mode: first.current.mode,
      theme: readTheme(container),
      format: first.current.format,
    })
    const stopFeed = connect(chart, feed, readout)
    const stopKeys = listenShortcuts(container, chart)
    const stopTheme = watchTheme(() => chart.setTheme(readTheme(container)))
    setPort(chart)
    return () => {
      stopTheme()
      stopKeys()
      stopFeed()
      readout.set(emptyReadout)
      setPort(undefined)
      chart.destroy()
    }
  }, [box, factory, feed, timeframe, priceDecimals, zone, readout])
  return port
}

/** Connects a feed to a chart, and the chart's requests for older bars to the feed. */
export function connect(port: ChartPort, feed: CandleFeed, readout: ReadoutStore): () => void {
  let oldestReached = false
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
