import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { cx } from './cx.ts'
import { Icon } from './Icon.tsx'
import styles from './Sheet.module.css'
import { useSheetDrag } from './useSheetDrag.ts'

export type SheetProps = {
  open: boolean
  /** Asked for by the close button, Escape or a tap on the scrim. */
  onClose: () => void
  title: ReactNode
  /** Names the close button. */
  closeLabel: string
  children: ReactNode
  /** Stays at the bottom edge while the rest scrolls: the one button and its caption. */
  footer?: ReactNode
  /** As wide as its content can use, on a large screen: a picture. */
  wide?: boolean
  /** Work is under way that must not be lost: nothing closes it meanwhile. */
  locked?: boolean
  /** Left out, its title: what opens is read from its beginning, and nothing looks chosen. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Called once it has opened or closed, motion included. */
  onOpenChangeComplete?: (open: boolean) => void
}

/**
 * A sheet from the bottom edge, closed by pulling it down too; from 900 px a dialog in the middle. Focus stays inside,
 * and goes back to where it was. The page behind does not scroll.
 */
export function Sheet(props: SheetProps) {
  const {
    open,
    onClose,
    title,
    closeLabel,
    children,
    footer,
    wide = false,
    locked = false,
    initialFocus,
    onOpenChangeComplete,
  } = props
  const pull = useSheetDrag(onClose, locked)
  const titleRef = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !locked) onClose()
      }}
      {...(onOpenChangeComplete === undefined ? {} : { onOpenChangeComplete: onOpenChangeComplete })}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup
            className={cx(styles.sheet, wide && styles.wide)}
            initialFocus={initialFocus ?? titleRef}
          >
            <div className={styles.head} {...pull}>
              <Dialog.Title ref={titleRef} tabIndex={-1} className={styles.title}>
                {title}
              </Dialog.Title>
              <Dialog.Close className={cx(styles.close, locked && styles.held)} aria-label={closeLabel}>
                <Icon name="x" size={24} />
              </Dialog.Close>
            </div>
            <div className={styles.body}>{children}</div>
            {footer !== undefined && <div className={styles.footer}>{footer}</div>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
