import { useId, type ReactNode, type Ref } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import styles from './Checkbox.module.css'

export type CheckboxProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  /** The label; links inside stay links. */
  children: ReactNode
  error?: ReactNode
  name?: string
  ref?: Ref<HTMLInputElement>
}

/** A checkbox with its label. The browser's own input under a styled box, so that the landing page needs no library. */
export function Checkbox({ checked, onChange, children, error, name, ref }: CheckboxProps) {
  const id = useId()
  const hasError = error !== undefined && error !== ''
  return (
    <div>
      <div className={styles.line}>
        <span className={cx(styles.box, hasError && styles.wrong)}>
          <input
            ref={ref}
            id={id}
            type="checkbox"
            className={styles.input}
            checked={checked}
            onChange={(event) => onChange(event.currentTarget.checked)}
            aria-invalid={hasError || undefined}
            aria-describedby={hasError ? `${id}-error` : undefined}
            {...(name === undefined ? {} : { name })}
          />
          <Icon name="check-bold" size={14} className={styles.mark} />
        </span>
        <label className={styles.label} htmlFor={id}>
          {children}
        </label>
      </div>
      <div id={`${id}-error`} aria-live="polite">
        {hasError && (
          <p className={styles.error}>
            <Icon name="warning-circle-fill" size={16} />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  )
}
