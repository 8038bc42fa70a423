import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { useId } from 'react'
import { cx } from './cx.ts'
import styles from './AmountField.module.css'
import { VisuallyHidden } from './VisuallyHidden.tsx'

export type AmountFieldProps = Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'onChange' | 'value'
> & {
  /** 12 px inside the box, unit included: "Amount, USD". */
  label: ReactNode
  value: string
  onValue: (value: string) => void
  /** On a wide ticket the label is above the field, and the unit at its end. */
  unit?: string | undefined
  /** The amount is invalid; show the reason nearby and pass its id as `aria-describedby`. */
  invalid?: boolean
  ref?: Ref<HTMLInputElement>
}

/** The ticket's amount: 48 px with the label inside, beside {@link QuickAmounts}. */
export function AmountField({
  label,
  value,
  onValue,
  unit,
  invalid = false,
  id,
  ref,
  ...input
}: AmountFieldProps) {
  const generatedId = useId()
  const inputId = id ?? generatedId
  const name = (
    <label className={unit === undefined ? styles.label : styles.above} htmlFor={inputId}>
      {label}
      {unit !== undefined && <VisuallyHidden>, {unit}</VisuallyHidden>}
    </label>
  )
  const box = (
    <div className={cx(styles.box, unit !== undefined && styles.wide, invalid && styles.wrong)}>
      {unit === undefined && name}
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
      {unit !== undefined && (
        <span className={styles.unit} aria-hidden="true">
          {unit}
        </span>
      )}
    </div>
  )
  if (unit === undefined) return box
  return (
    <div>
      {name}
      {box}
    </div>
  )
}
