import type { CSSProperties, ReactNode } from 'react'
import { cx } from '../ui/cx.ts'
import styles from './Page.module.css'

export type PageLayoutProps = {
  ground: 'market' | 'money'
  width: 'column' | 'wide' | 'full'
  bar?: 'phone' | undefined
  footerAtEdge?: boolean
  style?: CSSProperties | undefined
  children: ReactNode
}

/** The ground of a page and the width of its content. */
export const PageLayout = ({
  ground,
  width,
  bar,
  footerAtEdge = false,
  style,
  children,
}: PageLayoutProps) => (
  <div className={cx(styles.ground, bar === 'phone' && styles.phoneBar)} data-ground={ground} style={style}>
    <div
      className={cx(styles.page, width === 'wide' && styles.wide)}
      data-footer-edge={footerAtEdge || undefined}
    >
      {children}
    </div>
  </div>
)
