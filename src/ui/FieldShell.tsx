import { useId, type ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import styles from './Field.module.css'

export type FieldShellProps = {
  label: ReactNode
  /** Help below the control; `error` replaces it. */
  hint?: ReactNode
  /** Help whose lines are kept while another is shown, so that what follows stays in place. */
  hintRoom?: string | undefined
  /** The error text. Shown below the control with an icon and announced with it. */
  error?: ReactNode
  /** After the label on its line, such as a badge. */
  labelEnd?: ReactNode
  id?: string | undefined
}

/** The attributes that connect a control to its label and help. */
export type ControlAria = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** Whether an error or hint is not empty. */
export function hasContent(message: ReactNode): boolean {
  return message !== undefined && message !== null && message !== false && message !== ''
}

/** Label above, control, one line of help or error below: the layout of all form controls. */
export function FieldShell(props: FieldShellProps & { children: (aria: ControlAria) => ReactNode }) {
  const generatedId = useId()
  const id = props.id ?? generatedId
  const hasError = hasContent(props.error)
  const hasHelp = hasError || hasContent(props.hint)
  const helpId = `${id}-help`
  return (
    <div className={styles.shell}>
      <div className={styles.labelLine}>
        <label className={styles.label} htmlFor={id}>
          {props.label}
        </label>
        {props.labelEnd}
      </div>
      {props.children({
        id,
        'aria-invalid': hasError || undefined,
        'aria-describedby': hasHelp ? helpId : undefined,
      })}
      <div id={helpId} aria-live="polite" className={styles.help} data-room={props.hintRoom}>
        {hasError ? (
          <p className={styles.error}>
            <Icon name="warning-circle-fill" size={16} />
            <span>{props.error}</span>
          </p>
        ) : (
          hasContent(props.hint) && <p className={styles.hint}>{props.hint}</p>
        )}
      </div>
    </div>
  )
}
