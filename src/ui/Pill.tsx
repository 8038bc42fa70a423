import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import type { SelectOption } from './Select.tsx'
import styles from './Pill.module.css'

export type PillProps = {
  children: ReactNode
  selected?: boolean
  /** Opens a dialog. */
  caret?: boolean
  onClick: () => void
}

/** A filter of a list: 32 px tall with a 44 px hit area. Selected is inverted, not accent. */
export function Pill({ children, selected = false, caret = false, onClick }: PillProps) {
  return (
    <button
      type="button"
      className={cx(styles.pill, selected && styles.selected)}
      aria-pressed={caret ? undefined : selected}
      aria-haspopup={caret ? 'dialog' : undefined}
      data-selected={selected || undefined}
      onClick={onClick}
    >
      {children}
      {caret && <Icon name="caret-down" size={16} />}
    </button>
  )
}

export type PillSelectProps = {
  /** What it filters: "Direction". */
  label: string
  options: readonly SelectOption[]
  /** '' is no filter. */
  value: string
  onValue: (value: string) => void
}

/** A filter with options: a pill over the browser's own select. The option '' clears it. */
export function PillSelect({ label, options, value, onValue }: PillSelectProps) {
  const selectedOption = options.find((option) => option.value === value)
  const isSet = value !== ''
  return (
    <span className={cx(styles.pill, isSet && styles.selected)} data-selected={isSet || undefined}>
      <span aria-hidden="true">{isSet && selectedOption !== undefined ? selectedOption.label : label}</span>
      <Icon name="caret-down" size={16} />
      <select
        className={styles.native}
        aria-label={label}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
