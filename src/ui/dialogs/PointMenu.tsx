import { Menu } from '@base-ui/react/menu'
import type { RefObject } from 'react'
import styles from './PointMenu.module.css'

export type PointMenuItem = { label: string; onPick: () => void }

export type PointMenuProps = {
  open: boolean
  /** Where it opens, px in the window. */
  at: { x: number; y: number }
  /** The accessible name. */
  label: string
  /** What the items are about, above them. */
  title: string | undefined
  items: readonly PointMenuItem[]
  /** Called by a choice, Escape or a click elsewhere. */
  onClose: () => void
  /** Has the focus once it is closed. */
  focusAfter: () => HTMLElement | null
  /** What it is shown in, if something fills the screen above the page; the page otherwise. */
  container?: RefObject<HTMLElement | null> | undefined
}

/** A menu at a place of the pointer, with arrow keys and letters, closed by Escape. */
export function PointMenu(props: PointMenuProps) {
  const { open, at, label, title, items, onClose, focusAfter, container } = props
  const anchor = { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) }
  return (
    <Menu.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      modal={false}
    >
      <Menu.Portal container={container}>
        <Menu.Positioner anchor={anchor} side="bottom" align="start" className={styles.place}>
          <Menu.Popup className={styles.menu} aria-label={label} finalFocus={focusAfter}>
            {title !== undefined && <p className={styles.title}>{title}</p>}
            {items.map((item) => (
              <Menu.Item key={item.label} className={styles.item} onClick={item.onPick}>
                {item.label}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
