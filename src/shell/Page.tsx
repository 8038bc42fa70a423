import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { goBack } from '../router/trail.ts'
import { cx } from '../ui/cx.ts'
import { TitleBar } from '../ui/TitleBar.tsx'
import { ConnectionStatus } from './ConnectionStatus.tsx'
import styles from './Page.module.css'

export type PageProps = {
  /** Flat for prices, orders and forms; cards on canvas for money. */
  ground: 'market' | 'money'
  title: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** A tab's own page: large title, no back. */
  root?: boolean
  /** Where back leads when there is no page before. */
  backTo?: string
  /** Stays at the bottom edge: the one button of a form. */
  footer?: ReactNode
  /** How wide the page may become from 900 px on: a column to read, or all there is. */
  width?: 'column' | 'full'
  /** Prices are shown, or only what the venue tells by itself: say so when it is not live. */
  live?: boolean | 'events'
  style?: CSSProperties
  children: ReactNode
}

/** A page: its bar, the line that says prices are not live, its content on its ground. */
export function Page(props: PageProps) {
  const { t } = useTranslation()
  const {
    ground,
    title,
    subtitle,
    actions,
    root = false,
    backTo,
    footer,
    width = 'column',
    live = false,
  } = props
  return (
    <div className={styles.ground} data-ground={ground} style={props.style}>
      <div className={styles.page}>
        <TitleBar
          title={title}
          root={root}
          {...(subtitle === undefined ? {} : { subtitle })}
          {...(actions === undefined ? {} : { actions })}
          {...(backTo === undefined
            ? {}
            : { back: { label: t('common.back'), onClick: () => goBack(backTo) } })}
        />
        {live !== false && <ConnectionStatus prices={live === true} />}
        <main className={cx(styles.main, width === 'full' && styles.full)}>{props.children}</main>
        {footer !== undefined && (
          <footer className={styles.footer} data-page-footer="">
            {footer}
          </footer>
        )}
      </div>
    </div>
  )
}
