import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from 'react'
import { Switch } from '../../src/ui/choices/Switch.tsx'
import styles from './Control.module.css'

/** A filter of one line: the label in front of its control. */
function Control({ label, children }: { label: ReactNode; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <span className={styles.control}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  )
}

type ChoiceProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange' | 'id'> & {
  label: ReactNode
  options: readonly { value: string; label: string }[]
  onValue: (value: string) => void
}

export function Choice({ label, options, onValue, ...select }: ChoiceProps) {
  return (
    <Control label={label}>
      {(id) => (
        <select
          {...select}
          id={id}
          className={styles.box}
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
  onValue: (value: string) => void
}

export function Entry({ label, onValue, ...input }: EntryProps) {
  return (
    <Control label={label}>
      {(id) => (
        <input
          {...input}
          id={id}
          className={styles.box}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Control>
  )
}
