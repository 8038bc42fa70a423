import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
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

/** The row above a chart that selects the timeframe of a candle. */
export function Timeframes<Value extends string>({
  label,
  items,
  value,
  onChange,
  end,
}: TimeframesProps<Value>) {
  return (
    <div className={styles.row}>
      <RadioGroup
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
