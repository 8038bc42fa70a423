import { useId, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Button } from '../../src/ui/Button.tsx'
import { Sheet } from '../../src/ui/dialogs/Sheet.tsx'
import type { Failure } from '../../streams/index.ts'
import { useTexts } from '../i18n.ts'
import { FailureLine } from '../ui/FailureLine.tsx'
import styles from './DecideDialog.module.css'

type DecideDialogProps = {
  /** What is done: also the text of the button. */
  title: string
  onConfirm: () => void
  onClose: () => void
  busy: boolean
  failure?: Failure | undefined
  /** What happens. */
  summary?: ReactNode
  /** Fields that it needs. */
  children: ReactNode
  /** Takes the focus instead of the button. */
  focus?: RefObject<HTMLElement | null>
}

/**
 * Asks once more before something is decided. It was asked for by a key or a button of its own, so that the button that
 * does it has the focus: Enter is the second press.
 */
export function DecideDialog(props: DecideDialogProps) {
  const { title, onConfirm, onClose, busy, failure, summary, children, focus } = props
  const t = useTexts()
  const formId = useId()
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      closeLabel={t('action.close')}
      locked={busy}
      initialFocus={focus ?? button}
      footer={
        <div className={styles.answers}>
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button ref={button} type="submit" form={formId} busy={busy}>
            {title}
          </Button>
        </div>
      }
    >
      <form
        id={formId}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        {summary}
        {children}
        <FailureLine failure={failure} />
      </form>
    </Sheet>
  )
}
