import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import styles from './Segments.module.css'

export type SegmentsProps<Value extends string> = {
  label: string
  items: readonly { value: Value; label: ReactNode }[]
  value: Value
  onChange: (value: Value) => void
  /** As wide as its container, in equal cells. */
  block?: boolean
}

/** A control with two to four options in a single track. */
export function Segments<Value extends string>({
  label,
  items,
  value,
  onChange,
  block,
}: SegmentsProps<Value>) {
  return (
    <RadioGroup
      className={cx(styles.track, block === true && styles.block)}
      aria-label={label}
      value={value}
      onValueChange={(next: Value) => onChange(next)}
    >
      {items.map((item) => (
        <Radio.Root key={item.value} value={item.value} className={styles.cell}>
          {item.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
