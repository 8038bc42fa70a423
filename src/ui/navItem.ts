import type { IconName } from './iconNames.ts'

/** One place of the tab bar and the rail. */
export type NavItem = {
  id: string
  href: string
  label: string
  icon: IconName
  /** The filled twin, drawn while the item is current. */
  activeIcon?: IconName
  /** Unread things; the rail draws it. */
  count?: number
}
