import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
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

/** The row above a chart that selects the timeframe of a candle. It scrolls if it is too narrow for all of them. */
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
