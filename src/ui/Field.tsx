import { useState, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import { cx } from './cx.ts'
import { FieldShell, hasContent, type FieldShellProps } from './FieldShell.tsx'
import { Icon } from './Icon.tsx'
import { IconButton } from './IconButton.tsx'
import styles from './Field.module.css'

export type FieldProps = FieldShellProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'prefix' | 'className' | 'size'> & {
    /** Before the text inside the box, such as a dialling code. */
    prefix?: ReactNode
    /** After the text inside the box, such as a currency. */
    suffix?: ReactNode
    /** Labels of a password field's reveal button; without them there is no button. */
    reveal?: { show: string; hide: string }
    /** The button shows or hides the password: for another field that follows it. */
    onReveal?: (isRevealed: boolean) => void
    /** Renders the value as a number: weight 600. */
    figure?: boolean
    /** Cannot be changed here; rendered filled with a lock. Name in `hint` who can change it. */
    locked?: boolean
    ref?: Ref<HTMLInputElement>
  }

/** One line of text. `onChange` and the rest are the input's own. */
export function Field(props: FieldProps) {
  const {
    label,
    hint,
    hintRoom,
    error,
    labelEnd,
    id,
    prefix,
    suffix,
    reveal,
    onReveal,
    figure,
    locked,
    type,
    ref,
    ...input
  } = props
  const [isRevealed, setRevealed] = useState(false)
  return (
    <FieldShell label={label} hint={hint} hintRoom={hintRoom} error={error} labelEnd={labelEnd} id={id}>
      {(aria) => (
        <div className={cx(styles.box, hasContent(error) && styles.wrong, locked === true && styles.locked)}>
          {hasContent(prefix) && <span className={styles.prefix}>{prefix}</span>}
          <input
            {...input}
            {...aria}
            ref={ref}
            type={isRevealed ? 'text' : type}
            readOnly={locked === true || input.readOnly}
            className={cx(styles.input, figure === true && styles.figure)}
          />
          {hasContent(suffix) && <span className={styles.suffix}>{suffix}</span>}
          {locked === true && <Icon name="lock-simple" size={20} className={styles.lock} />}
          {reveal !== undefined && (
            <IconButton
              className={styles.eye}
              icon={isRevealed ? 'eye-slash' : 'eye'}
              label={isRevealed ? reveal.hide : reveal.show}
              size={20}
              onClick={() => {
                setRevealed(!isRevealed)
                onReveal?.(!isRevealed)
              }}
            />
          )}
        </div>
      )}
    </FieldShell>
  )
}
