import type { CSSProperties, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { RadioGroup } from './RadioGroup.tsx'
import styles from './DurationChips.module.css'

export type DurationChip = {
  value: string
  /** "1 min" */
  label: string
  /** "85%", below the duration. */
  rate: ReactNode
  disabled?: boolean
}

export type DurationChipsProps = {
  label: string
  items: readonly DurationChip[]
  value: string | undefined
  onChange: (value: string) => void
  /**
   * The number of columns of a grid, instead of one row that scrolls. The wide ticket has 3, or 4 for four durations.
   */
  columns?: number
}

/** The durations of an order, each with its rate. */
export function DurationChips({ label, items, value, onChange, columns }: DurationChipsProps) {
  const grid: CSSProperties | undefined =
    columns === undefined ? undefined : { gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }
  return (
    <RadioGroup
      className={cx(styles.row, columns !== undefined && styles.grid)}
      optionClassName={styles.chip}
      style={grid}
      label={label}
      options={items.map((item) => ({
        ...item,
        label: (
          <>
            <span className={styles.duration} data-text={item.label}>
              {item.label}
            </span>
            <span className={styles.rate}>{item.rate}</span>
          </>
        ),
      }))}
      value={value}
      onChange={onChange}
    />
  )
}
