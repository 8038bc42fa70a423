import { useLayoutEffect, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import styles from './TitleBar.module.css'

export type TitleBarProps = {
  title: ReactNode
  /** A 12 px second line: category and status of a product. */
  subtitle?: ReactNode
  /** Draws the back caret. `label` names it; `href` or `onClick` says where to. */
  back?: { label: string; href?: string; onClick?: () => void }
  /** Icon buttons or text links at the right. */
  actions?: ReactNode
  /** A tab's own page: large title at the left, no back. */
  root?: boolean
}

/** The 52 px bar over a page, on the page's own ground. Holds its one `<h1>`. */
export function TitleBar({ title, subtitle, back, actions, root = false }: TitleBarProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusHandover(heading)
  return (
    <header className={cx(styles.bar, root && styles.root)}>
      {!root && (
        <div className={styles.start}>
          {back !== undefined && (
            <IconButton
              icon="caret-left"
              label={back.label}
              {...(back.href === undefined ? {} : { href: back.href })}
              {...(back.onClick === undefined ? {} : { onClick: back.onClick })}
            />
          )}
        </div>
      )}
      <div className={styles.titles}>
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      <div className={styles.end}>{actions}</div>
    </header>
  )
}

/** Whether a heading that had the focus is being replaced by another in this very commit. */
let focusHandover = false

/** The focus of a page that was loading goes on to the page itself, not back to the document's beginning. */
function useFocusHandover(heading: RefObject<HTMLHeadingElement | null>): void {
  useLayoutEffect(() => {
    const element = heading.current
    if (focusHandover) element?.focus({ preventScroll: true })
    focusHandover = false
    return () => {
      if (element === null || document.activeElement !== element) return
      focusHandover = true
      queueMicrotask(() => {
        focusHandover = false
      })
    }
  }, [heading])
}
