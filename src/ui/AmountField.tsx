import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { useId } from 'react'
import { cx } from './cx.ts'
import styles from './AmountField.module.css'

export interface AmountFieldProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'onChange' | 'value'
> {
  /** 12 px inside the box, unit included: "Amount, USD". */
  label: ReactNode
  value: string
  onValue: (value: string) => void
  /** The amount does not hold; say why near by and pass that text's id as `aria-describedby`. */
  invalid?: boolean
  ref?: Ref<HTMLInputElement>
}

/** The ticket's amount: 48 px with the label inside, to stand beside {@link QuickAmounts}. */
export function AmountField({ label, value, onValue, invalid = false, id, ref, ...input }: AmountFieldProps) {
  const made = useId()
  const inputId = id ?? made
  return (
    <div className={cx(styles.box, invalid && styles.wrong)}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      <input
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        {...input}
        ref={ref}
        id={inputId}
        aria-invalid={invalid || undefined}
        className={styles.input}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    </div>
  )
}
