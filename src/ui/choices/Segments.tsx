import type { ReactNode } from 'react'
import { cx } from '../cx.ts'
import { RadioGroup } from './RadioGroup.tsx'
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
      optionClassName={styles.cell}
      label={label}
      options={items}
      value={value}
      onChange={onChange}
    />
  )
}
