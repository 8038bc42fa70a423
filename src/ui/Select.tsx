import type { SelectHTMLAttributes } from 'react'
import { cx } from './cx.ts'
import { FieldShell, hasContent, type FieldShellProps } from './FieldShell.tsx'
import { Icon } from './Icon.tsx'
import styles from './Field.module.css'

export type SelectOption = {
  value: string
  label: string
  disabled?: boolean
}

export type SelectProps = FieldShellProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'className' | 'children' | 'onChange'> & {
    options: readonly SelectOption[]
    value: string
    onValue: (value: string) => void
    /** Shown while nothing is selected (`value` is ''). */
    placeholder?: string
  }

/** A select: the browser's own control, so a phone shows its native picker. */
export function Select(props: SelectProps) {
  const { label, hint, error, labelEnd, id, options, value, onValue, placeholder, ...select } = props
  return (
    <FieldShell label={label} hint={hint} error={error} labelEnd={labelEnd} id={id}>
      {(aria) => (
        <div className={cx(styles.box, hasContent(error) && styles.wrong)}>
          <select
            {...select}
            {...aria}
            className={cx(styles.input, styles.select, value === '' && styles.empty)}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          >
            {placeholder !== undefined && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="caret-down" size={16} className={styles.caret} />
        </div>
      )}
    </FieldShell>
  )
}
