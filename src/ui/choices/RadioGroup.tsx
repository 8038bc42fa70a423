import { useEffect, useId, type CSSProperties, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { cx } from '../cx.ts'
import styles from './RadioGroup.module.css'

export type RadioOption<Value extends string> = {
  value: Value
  label: ReactNode
  /** If it says more than the label. */
  ariaLabel?: string | undefined
  disabled?: boolean | undefined
}

export type RadioGroupProps<Value extends string> = {
  label: string
  options: readonly RadioOption<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
  className?: string | undefined
  style?: CSSProperties | undefined
  /** `[data-checked]` and `[data-disabled]` style its states. */
  optionClassName?: string | undefined
  ref?: Ref<HTMLDivElement>
}

/** Enter on a radio would submit its form: the member has only just chosen. */
function keepForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

/** One choice out of several: the browser's own inputs, each over its whole option. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, options, value: chosen, onChange, className, style, optionClassName, ref } = props
  const name = useId()
  // A choice made elsewhere, such as by a shortcut, takes the focus along.
  useEffect(() => {
    const { activeElement } = document
    if (!(activeElement instanceof HTMLInputElement) || activeElement.name !== name) return
    const inputs = [...document.getElementsByName(name)] as HTMLInputElement[]
    if (activeElement.value !== chosen) inputs.find(({ value }) => value === chosen)?.focus()
  }, [name, chosen])
  return (
    <div role="radiogroup" aria-label={label} ref={ref} className={className} style={style}>
      {options.map(({ value, label: optionLabel, ariaLabel, disabled = false }) => (
        <label
          key={value}
          className={cx(styles.option, optionClassName)}
          data-checked={value === chosen || undefined}
          data-disabled={disabled || undefined}
        >
          <input
            type="radio"
            className={styles.input}
            name={name}
            value={value}
            checked={value === chosen}
            disabled={disabled}
            aria-label={ariaLabel}
            onChange={() => onChange(value)}
            onKeyDown={keepForm}
          />
          {optionLabel}
        </label>
      ))}
    </div>
  )
}
