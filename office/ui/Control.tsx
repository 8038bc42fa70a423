import {
  useId,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SelectHTMLAttributes,
} from 'react'
import { Switch } from '../../src/ui/choices/Switch.tsx'
import { cx } from '../../src/ui/cx.ts'
import styles from './Control.module.css'

type ControlProps = {
  label: ReactNode
  /** What is wrong with its value. */
  error?: string | undefined
  children: (aria: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

/** A filter of one line: the label in front of its control, and what is wrong behind it. */
function Control({ label, error, children }: ControlProps) {
  const id = useId()
  const problem = `${id}-error`.replaceAll(' ', '-')
  return (
    <span className={styles.control}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(error !== undefined && { 'aria-describedby': problem, 'aria-invalid': true }) })}
      {error !== undefined && (
        <span id={problem} role="status" className={styles.error}>
          {error}
        </span>
      )}
    </span>
  )
}

/** Escape empties a filter, and leaves an empty one: while it has the focus, typing keeps the keys from the commands of the list. */
const emptyByEscape =
  (value: unknown, onValue: (value: string) => void) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (value === '') event.currentTarget.blur()
    else onValue('')
  }

type ChoiceProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'id'> & {
  label: ReactNode
  options: readonly { value: string; label: string }[]
  field?: RefObject<HTMLSelectElement | null> | undefined
  error?: string | undefined
  onValue: (value: string) => void
}

export function Choice({ label, options, field, error, onValue, ...select }: ChoiceProps) {
  return (
    <Control label={label} error={error}>
      {(aria) => (
        <select
          {...select}
          {...aria}
          ref={field}
          className={cx(styles.box, error !== undefined && styles.wrong)}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Control>
  )
}

type ToggleProps = { label: string; isOn: boolean; onChange: (isOn: boolean) => void }

export function Toggle({ label, isOn, onChange }: ToggleProps) {
  return (
    <span className={styles.control}>
      <span aria-hidden="true">{label}</span>
      <Switch label={label} checked={isOn} onChange={onChange} />
    </span>
  )
}

type EntryProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id'> & {
  label: ReactNode
  error?: string | undefined
  onValue: (value: string) => void
}

export function Entry({ label, error, onValue, ...input }: EntryProps) {
  return (
    <Control label={label} error={error}>
      {(aria) => (
        <input
          {...input}
          {...aria}
          className={cx(styles.box, error !== undefined && styles.wrong)}
          onKeyDown={emptyByEscape(input.value, onValue)}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Control>
  )
}
