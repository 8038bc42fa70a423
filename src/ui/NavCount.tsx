import type { NavItem } from './navItem.ts'
import { VisuallyHidden } from './VisuallyHidden.tsx'

/** The number of waiting items of a tab, after its label; nothing if there are none. */
export function NavCount({ item, className }: { item: NavItem; className: string | undefined }) {
  const { count = 0, countText } = item
  if (count === 0) return null
  return (
    <>
      <span className={className} aria-hidden={countText !== undefined}>
        {count > 99 ? '99+' : count}
      </span>
      {countText !== undefined && <VisuallyHidden>, {countText}</VisuallyHidden>}
    </>
  )
}
