import { useRef, type ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Sheet } from './Sheet.tsx'
import styles from './ConfirmDialog.module.css'

export type ConfirmDialogProps = {
  open: boolean
  title: ReactNode
  /** What happens if confirmed. */
  children: ReactNode
  confirmLabel: ReactNode
  cancelLabel: ReactNode
  closeLabel: string
  onConfirm: () => void
  onCancel: () => void
  busy?: boolean
}

/** A confirmation with two answers. The safe one comes first and takes the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    title,
    children,
    confirmLabel,
    cancelLabel,
    closeLabel,
    onConfirm,
    onCancel,
    busy = false,
  } = props
  const cancelButton = useRef<HTMLButtonElement>(null)
  return (
    <Sheet
      open={open}
      onClose={onCancel}
      title={title}
      closeLabel={closeLabel}
      locked={busy}
      initialFocus={cancelButton}
      footer={
        <div className={styles.answers}>
          <Button ref={cancelButton} variant="secondary" block disabled={busy} onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button block busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </div>
      }
    >
      <p className={styles.question}>{children}</p>
    </Sheet>
  )
}
