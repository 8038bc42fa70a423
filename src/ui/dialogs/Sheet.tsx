import { Dialog } from '@base-ui/react/dialog'
import { useRef, type ReactNode, type RefObject } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../Icon.tsx'
import styles from './Sheet.module.css'
import { followLink, useBackCloses } from './useBackCloses.ts'
import { useSheetDrag } from './useSheetDrag.ts'

export type SheetProps = {
  open: boolean
  /** Called by the close button, Escape, Back or a tap on the scrim. */
  onClose: () => void
  title: ReactNode
  /** The accessible name of the close button. */
  closeLabel: string
  children: ReactNode
  /** Sticks to the bottom edge while the rest scrolls: the button and its caption. */
  footer?: ReactNode
  /** Wide on a large screen: for a picture. */
  wide?: boolean
  /** Over the column beside the chart, where there is one: the chart stays in sight. */
  overTicket?: boolean
  /** A request is in flight: the sheet cannot be closed. */
  locked?: boolean
  /** Defaults to the title: screen readers start at the beginning, and no control looks selected. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Has the focus once it is closed, instead of what had it before. */
  focusAfter?: () => HTMLElement | null
  /** What it is shown in, if something fills the screen above the page; the page otherwise. */
  container?: RefObject<HTMLElement | null> | undefined
  /** Called after it has opened or closed, including the animation. */
  onOpenChangeComplete?: (open: boolean) => void
}

/**
 * A sheet from the bottom edge that can be dragged down to close; from 900 px a centred dialog. The focus is trapped
 * inside and restored on close. The page behind does not scroll.
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
    overTicket = false,
    locked = false,
    initialFocus,
    focusAfter,
    container,
    onOpenChangeComplete,
  } = props
  const pull = useSheetDrag(onClose, locked)
  useBackCloses(open, onClose, locked)
  const titleRef = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !locked) onClose()
      }}
      {...(onOpenChangeComplete === undefined ? {} : { onOpenChangeComplete: onOpenChangeComplete })}
    >
      <Dialog.Portal container={container}>
        <Dialog.Backdrop className={cx(styles.scrim, overTicket && styles.ticketScrim)} />
        <Dialog.Viewport className={cx(styles.viewport, overTicket && styles.overTicket)}>
          <Dialog.Popup
            className={cx(styles.sheet, wide && styles.wide)}
            initialFocus={initialFocus ?? titleRef}
            finalFocus={() => focusAfter?.() ?? true}
            onClick={followLink}
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
