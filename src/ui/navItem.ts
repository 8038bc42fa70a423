import type { IconName } from './iconNames.ts'

/** One item of the tab bar and the rail. */
export type NavItem = {
  id: string
  href: string
  label: string
  icon: IconName
  /** The filled variant, shown while the item is current. */
  activeIcon?: IconName
  /** Number of what waits there: unread messages, open orders. */
  count?: number
  /** The count in words, for screen readers; left out if the number says enough. */
  countText?: string
}
