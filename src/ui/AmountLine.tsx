import type { InputHTMLAttributes, ReactNode } from 'react'
import { cx } from './cx.ts'
import { FieldShell, hasContent, type FieldShellProps } from './FieldShell.tsx'
import styles from './AmountLine.module.css'

export type AmountLineProps = FieldShellProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className' | 'onChange' | 'value'> & {
    value: string
    onValue: (value: string) => void
    /** The currency, at the right end. */
    unit?: ReactNode
  }

/** The amount of a money form: 36 px on an accent line. */
export function AmountLine(props: AmountLineProps) {
  const { label, hint, error, labelEnd, id, value, onValue, unit, ...input } = props
  return (
    <FieldShell label={label} hint={hint} error={error} labelEnd={labelEnd} id={id}>
      {(aria) => (
        <div className={cx(styles.line, hasContent(error) && styles.wrong)}>
          <input
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            {...input}
            {...aria}
            className={styles.input}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
          {hasContent(unit) && <span className={styles.unit}>{unit}</span>}
        </div>
      )}
    </FieldShell>
  )
}
