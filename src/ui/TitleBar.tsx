import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import styles from './TitleBar.module.css'
import { titleBarChanged } from './toastStore.ts'

export type TitleBarProps = {
  title: ReactNode
  /** A 12 px second line: category and status of a product. */
  subtitle?: ReactNode
  /** Shows the back button. `label` is its accessible name, `href` or `onClick` its action. */
  back?: { label: string; href?: string; onClick?: () => void }
  /** Icon buttons or text links at the right. */
  actions?: ReactNode
  /** A tab's own page: large title at the left, no back button. */
  root?: boolean
}

/** The 52 px bar above a page, on the page's own ground. It contains the page's only `<h1>`. */
export function TitleBar({ title, subtitle, back, actions, root = false }: TitleBarProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusHandover(heading)
  useLayoutEffect(() => {
    titleBarChanged()
    return titleBarChanged
  }, [])
  return (
    <header className={cx(styles.bar, root && styles.root)} data-title-bar="">
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
      <div className={styles.titles} data-titles="">
        <h1 className={styles.title} ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      <div className={styles.end}>{actions}</div>
    </header>
  )
}

/** Whether a focused heading is being replaced by another in the same commit. */
let focusHandover = false

/**
 * Moves the focus from the heading of a loading page to the loaded page's heading, instead of resetting it to the
 * document.
 */
export function useFocusHandover(heading: RefObject<HTMLHeadingElement | null>): void {
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
