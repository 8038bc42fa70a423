import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { timeframes, type Timeframe } from '../../contract/candles.ts'
import type { CandleFeed } from '../../streams/index.ts'
import { IconButton } from '../ui/index.ts'
import { listenMenu } from './menu.ts'
import { listenShortcuts } from './shortcuts.ts'
import type { ChartExtras, ChartFactory, ChartPort } from './port.ts'
import type { ChartFormat, ChartMark, ChartMode, MenuRequest } from './types.ts'
import { emptyReadout, type ReadoutStore } from './readout.ts'
import { readTheme, watchTheme } from './theme.ts'
import { zoneOffsetMs } from './zone.ts'
import styles from './Chart.module.css'

export type ChartProps = {
  factory: ChartFactory
  feed: CandleFeed
  timeframe: Timeframe
  priceDecimals: number
  /** A price of the product, for the width of the axis; NaN if there is none. */
  price: number
  zone: string
  mode: ChartMode
  marks: readonly ChartMark[]
  /** Undefined if there are none, or their code is not loaded yet. */
  extras: ChartExtras | undefined
  stale: boolean
  format: ChartFormat
  readout: ReadoutStore
  /** The member asks for the menu of the chart. */
  onMenu: (request: MenuRequest) => void
  /** The label for screen readers: the product, and that a table shows the same. */
  label: string
  /** The label of the button that returns to the newest bar. */
  toNow: string
}

/** A chart fed by a product's candles, the same in every timeframe. A change of product or zone starts a new one. */
export function Chart(props: ChartProps) {
  return <ChartBox key={`${props.zone} ${props.priceDecimals}`} {...props} />
}

/**
 * Everything happens before the page is painted, so that bars that are there already are in its first picture. Where the
 * page is hidden while a part of it loads, its chart is destroyed, and made again before it is shown again: so it is in a
 * ref, of which an effect reads the one that there is, never in a state.
 */
function ChartBox(props: ChartProps) {
  const { feed, readout, timeframe, format, mode, marks, extras, stale, onMenu } = props
  const box = useRef<HTMLElement>(null)
  const chart = useNewChart(box, props)

  useLayoutEffect(() => chart.current?.setFrame(timeframes[timeframe]), [chart, timeframe])
  useLayoutEffect(() => chart.current?.setFormat(format), [chart, format])
  useLayoutEffect(() => chart.current?.setMode(mode), [chart, mode])
  useLayoutEffect(() => chart.current?.setMarks(marks), [chart, marks])
  useLayoutEffect(() => chart.current?.setExtras(extras), [chart, extras])
  useLayoutEffect(() => chart.current?.setStale(stale), [chart, stale])
  // The bars come last: they are laid out by all of the above.
  useLayoutEffect(() => chart.current && connect(chart.current, feed, readout), [chart, feed, readout])
  useLayoutEffect(() => {
    const port = chart.current
    return port && box.current ? listenToMember(box.current, port, readout, onMenu) : undefined
  }, [chart, readout, onMenu])
  const [isAway, setAway] = useState(false)
  useLayoutEffect(() => chart.current?.onAway(setAway), [chart])
  // Last, when everything above has let go of it.
  useLayoutEffect(
    () => () => {
      chart.current?.destroy()
      chart.current = undefined
    },
    [chart],
  )

  const toNow = () => {
    chart.current?.fitRight()
    // The button goes, and the keyboard stays on the chart.
    box.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <figure ref={box} className={styles.box} aria-label={props.label} />
      {isAway && (
        <IconButton
          icon="arrow-right-bold"
          size={16}
          label={props.toNow}
          onClick={toNow}
          className={styles.toNow}
        />
      )}
    </>
  )
}

/** The chart of the box: made with its first properties, which the caller then replaces by the newest. */
function useNewChart(
  box: RefObject<HTMLElement | null>,
  props: ChartProps,
): RefObject<ChartPort | undefined> {
  const chart = useRef<ChartPort>(undefined)
  const first = useRef(props)
  useLayoutEffect(() => {
    const container = box.current
    if (container === null) return
    const { factory, timeframe, priceDecimals, price, zone, mode, format } = first.current
    chart.current = factory(container, {
      tfMs: timeframes[timeframe],
      priceDecimals,
      price,
      zoneOffsetMs: zoneOffsetMs(zone, Date.now()),
      mode,
      theme: readTheme(container),
      format,
    })
  }, [box])
  return chart
}

/** Follows the member's theme, keys, and requests for the menu. */
function listenToMember(
  container: HTMLElement,
  port: ChartPort,
  readout: ReadoutStore,
  onMenu: ChartProps['onMenu'],
): () => void {
  const stopTheme = watchTheme(() => port.setTheme(readTheme(container)))
  const stopKeys = listenShortcuts(container, port)
  const stopMenu = listenMenu(container, (at) => {
    const { hovered, newest } = readout.get()
    const { left, top, width, height } = container.getBoundingClientRect()
    onMenu({
      price: at === undefined ? (hovered ?? newest)?.close : port.priceAt(at.y),
      at: at ?? { x: left + width / 2, y: top + height / 2 },
      reset: () => port.fitRight(),
    })
  })
  return () => {
    stopMenu()
    stopKeys()
    stopTheme()
  }
}

/** Connects a feed to a chart, and the chart's requests for older bars to the feed. */
export function connect(port: ChartPort, feed: CandleFeed, readout: ReadoutStore): () => void {
  let oldestReached = false
  let hasBars = false
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
        hasBars = true
        port.setSnapshot(event.candles)
        readout.set({ loaded: true, newest: event.candles.at(-1), hovered: undefined })
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
  // Bars that are there already replace those of before at once: what shows that there are none is not rendered between.
  if (!hasBars) readout.set(emptyReadout)
  return () => {
    events.unsubscribe()
    stopReadings()
    stopCrosshair()
    stopOlder()
  }
}
