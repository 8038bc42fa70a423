import { useEffect, useState } from 'react'
import { sampleTime } from 'rxjs'
import type { Candle } from '../../contract/candles.ts'
import type { CandleFeed } from '../../streams/index.ts'
import { createBars } from './bars.ts'
import type { ChartFormat } from './types.ts'
import styles from './CandleTable.module.css'

/** Enough for a short scroll; older bars are only on the chart. */
const rowsMax = 60
/** A table that updates more often cannot be read. */
const refreshMs = 1000

export type CandleTableProps = {
  feed: CandleFeed
  format: ChartFormat
  /** Formats the instant of a row; only the time if bars are shorter than a day. */
  timeOf: (at: number) => string
  volume: (value: number) => string
  heads: { time: string; open: string; high: string; low: string; close: string; volume: string }
  caption: string
}

/** The chart as a table: its last bars, newest first. */
export function CandleTable({ feed, format, timeOf, volume, heads, caption }: CandleTableProps) {
  const rows = useNewest(feed)
  return (
    <section ref={focusable} className={styles.scroll} aria-label={caption}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{heads.time}</th>
            <th scope="col">{heads.open}</th>
            <th scope="col">{heads.high}</th>
            <th scope="col">{heads.low}</th>
            <th scope="col">{heads.close}</th>
            <th scope="col" className={styles.volume}>
              {heads.volume}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((bar) => (
            <tr key={bar.openAt}>
              <th scope="row">{timeOf(bar.openAt)}</th>
              <td>{format.price(bar.open)}</td>
              <td>{format.price(bar.high)}</td>
              <td>{format.price(bar.low)}</td>
              <td>{format.price(bar.close)}</td>
              <td className={styles.volume}>{volume(bar.volume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Makes the section scrollable by keyboard. */
const focusable = (node: HTMLElement | null): void => node?.setAttribute('tabindex', '0')

function useNewest(feed: CandleFeed): readonly Candle[] {
  const [rows, setRows] = useState<readonly Candle[]>([])
  useEffect(() => {
    const bars = createBars()
    const show = () => setRows(bars.all().slice(-rowsMax).reverse())
    const fold = feed.events$.subscribe((event) => {
      if (event.kind === 'live') bars.apply(event.candle)
      if (event.kind !== 'snapshot') return
      bars.reset(event.candles)
      show()
    })
    const refresh = feed.events$.pipe(sampleTime(refreshMs)).subscribe(show)
    return () => {
      fold.unsubscribe()
      refresh.unsubscribe()
    }
  }, [feed])
  return rows
}
