import type { TextareaHTMLAttributes } from 'react'
import { cx } from './cx.ts'
import { FieldShell, hasContent, type FieldShellProps } from './FieldShell.tsx'
import styles from './Field.module.css'

export type TextAreaProps = FieldShellProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'> & {}

/** Several lines of text. */
export function TextArea({ label, hint, error, labelEnd, id, ...area }: TextAreaProps) {
  return (
    <FieldShell label={label} hint={hint} error={error} labelEnd={labelEnd} id={id}>
      {(aria) => (
        <div className={cx(styles.box, hasContent(error) && styles.wrong)}>
          <textarea {...area} {...aria} className={cx(styles.input, styles.area)} />
        </div>
      )}
    </FieldShell>
  )
}
