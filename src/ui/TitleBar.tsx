import type { ReactNode, Ref } from 'react'
import { cx } from './cx.ts'
import { IconButton } from './IconButton.tsx'
import styles from './TitleBar.module.css'

export interface TitleBarProps {
  title: ReactNode
  /** A 12 px second line: category and status of a product. */
  subtitle?: ReactNode
  /** Draws the back caret. `label` names it; `href` or `onClick` says where to. */
  back?: { label: string; href?: string; onClick?: () => void }
  /** Icon buttons or text links at the right. */
  actions?: ReactNode
  /** A tab's own page: large title at the left, no back. */
  root?: boolean
  /** The page's focus goes here after a change of route. */
  titleRef?: Ref<HTMLHeadingElement>
}

/** The 52 px bar over a page, on the page's own ground. Holds its one `<h1>`. */
export function TitleBar({ title, subtitle, back, actions, root = false, titleRef }: TitleBarProps) {
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
        <h1 className={styles.title} ref={titleRef} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && <div className={styles.subtitle}>{subtitle}</div>}
      </div>
      <div className={styles.end}>{actions}</div>
    </header>
  )
}
