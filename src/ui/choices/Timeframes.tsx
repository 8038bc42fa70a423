import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
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
    // The row's children are not only these: Base UI has an input beside each.
    const checked = row?.querySelectorAll<HTMLElement>('[role="radio"]')[chosen]
    if (!row || !checked) return undefined
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
        aria-label={label}
        value={value}
        onValueChange={(next: Value) => onChange(next)}
      >
        {items.map((item) => (
          <Radio.Root
            key={item.value}
            value={item.value}
            className={styles.frame}
            aria-label={item.ariaLabel}
          >
            <span className={styles.fill} data-text={item.label}>
              {item.label}
            </span>
          </Radio.Root>
        ))}
      </RadioGroup>
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  )
}
