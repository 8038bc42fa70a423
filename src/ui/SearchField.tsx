import { useRef } from 'react'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import styles from './SearchField.module.css'

export type SearchFieldProps = {
  /** Names it and stands in it while empty. */
  label: string
  clearLabel: string
  value: string
  onValue: (value: string) => void
}

/** A search over a list: 44 px, filled, with a cross once there is something to clear. */
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
