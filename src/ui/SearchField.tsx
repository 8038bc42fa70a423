import { useRef } from 'react'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import styles from './SearchField.module.css'

export type SearchFieldProps = {
  /** The accessible name and placeholder. */
  label: string
  clearLabel: string
  value: string
  onValue: (value: string) => void
}

/** A search field above a list: 44 px, filled, with a clear button if it is not empty. */
export function SearchField({ label, clearLabel, value, onValue }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.box}>
      <Icon name="magnifying-glass" size={20} className={styles.icon} />
      <input
        ref={input}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        enterKeyHint="search"
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      {value !== '' && (
        <IconButton
          icon="x"
          size={18}
          label={clearLabel}
          onClick={() => {
            onValue('')
            input.current?.focus()
          }}
        />
      )}
    </div>
  )
}
