import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import { cx } from './cx.ts'
import styles from './AmountField.module.css'
import { Icon } from './Icon.tsx'
import { VisuallyHidden } from './VisuallyHidden.tsx'

export type AmountStep = {
  /** The accessible name. */
  label: string
  onStep: () => void
  disabled: boolean
}

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
  /** Buttons before and after the amount that lower and raise it. */
  steps?: { down: AmountStep; up: AmountStep }
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
  steps,
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
    <div
      className={cx(
        styles.box,
        unit !== undefined && styles.wide,
        steps && styles.stepped,
        invalid && styles.wrong,
      )}
    >
      {unit === undefined && name}
      {steps && <StepButton icon="minus" step={steps.down} />}
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
      {steps && <StepButton icon="plus" step={steps.up} />}
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

function StepButton({ icon, step }: { icon: 'minus' | 'plus'; step: AmountStep }) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={step.label}
      aria-disabled={step.disabled || undefined}
      onClick={() => {
        if (!step.disabled) step.onStep()
      }}
    >
      <Icon name={icon} size={16} />
    </button>
  )
}
