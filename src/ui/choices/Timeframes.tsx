import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { RadioGroup } from './RadioGroup.tsx'
import styles from './Timeframes.module.css'

export type TimeframesProps<Value extends string> = {
  label: string
  items: readonly { value: Value; label: string; ariaLabel?: string }[]
  value: Value
  onChange: (value: Value) => void
  /** The chart's toggles, at the right. */
  end?: ReactNode
}

/** The row above a chart that selects the timeframe of a candle. It scrolls if it is too narrow for all of them, with a mouse by its wheel, and fades where there are more. */
export function Timeframes<Value extends string>({
  label,
  items,
  value,
  onChange,
  end,
}: TimeframesProps<Value>) {
  const chosen = items.findIndex((item) => item.value === value)
  const frames = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const row = frames.current
    const checked = row?.children[chosen]
    if (!row || !(checked instanceof HTMLElement)) return undefined
    // With the frame that follows, which computes the layout anyway: here it would be computed for this alone.
    const request = requestAnimationFrame(() => {
      // Not `scrollIntoView`, which would scroll the page too.
      row.scrollLeft = checked.offsetLeft - (row.clientWidth - checked.offsetWidth) / 2
    })
    return () => cancelAnimationFrame(request)
  }, [chosen])
  useFades(frames)
  useWheel(frames)
  return (
    <div className={styles.row}>
      <RadioGroup
        ref={frames}
        className={styles.frames}
        optionClassName={styles.frame}
        label={label}
        options={items.map((item) => ({
          ...item,
          label: (
            <span className={styles.fill} data-text={item.label}>
              {item.label}
            </span>
          ),
        }))}
        value={value}
        onChange={onChange}
      />
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}

/** Marks a scrolling row with `data-before` and `data-after` while there is more at that end. */
function useFades(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const row = ref.current
    if (row === null) return undefined
    const mark = () => {
      const hidden = row.scrollWidth - row.clientWidth
      row.toggleAttribute('data-before', row.scrollLeft > 1)
      row.toggleAttribute('data-after', row.scrollLeft < hidden - 1)
    }
    row.addEventListener('scroll', mark, { passive: true })
    // Called between the layout and the paint, also at first. A label can change its width, the others move with it.
    const sizes = new ResizeObserver(mark)
    for (const each of [row, ...row.children]) sizes.observe(each)
    return () => {
      row.removeEventListener('scroll', mark)
      sizes.disconnect()
    }
  }, [ref])
}

/** A mouse's wheel scrolls the row to the side, and the page only once the row is at its end. */
function useWheel(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const row = ref.current
    if (row === null) return undefined
    const turn = (event: WheelEvent) => {
      if (event.deltaX !== 0 || event.ctrlKey) return
      const before = row.scrollLeft
      row.scrollLeft += event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY
      if (row.scrollLeft !== before) event.preventDefault()
    }
    // React's own listener could not keep the page from scrolling.
    row.addEventListener('wheel', turn, { passive: false })
    return () => row.removeEventListener('wheel', turn)
  }, [ref])
}
