import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefresh } from '../hooks/useRefresh.ts'
import { goBack } from '../router/scrollRestoration.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { TitleBar } from '../ui/TitleBar.tsx'
import { StaleDataLine, ConnectionStatus, MaintenanceLine } from './ConnectionStatus.tsx'
import { PullToRefresh } from './PullToRefresh.tsx'
import styles from './Page.module.css'

export type PageProps = {
  /** Flat for prices, orders and forms; cards on canvas for money. */
  ground: 'market' | 'money'
  title: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** A tab's own page: large title, no back. */
  root?: boolean
  /** `phone`: from 900 px on the rail says and holds all that the bar does, and only its title stays, to be read out. */
  bar?: 'phone'
  /** Where back leads when there is no page before. */
  backTo?: string
  /** Stays at the bottom edge: the one button of a form. */
  footer?: ReactNode
  /** The footer keeps the bottom edge on wide screens too, where a form's button follows its fields. */
  footerAtEdge?: boolean
  /** How wide the page may become from 900 px on: a column to read, cards and lists with their bar, or all there is. */
  width?: 'column' | 'wide' | 'full'
  /** Prices are shown, or only what the venue tells by itself: say so when it is not live. */
  live?: boolean | 'events'
  /** Can be asked for anew: by a pull from the top, and by a button in the bar; where the bar is hidden, under all there is. */
  refresh?: 'bar'
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
    refresh: refreshAt,
    root = false,
    backTo,
    footer,
    footerAtEdge = false,
    width = 'column',
    live = false,
  } = props
  const { refreshing, refresh } = useRefresh()
  const actions =
    refreshAt === 'bar' ? (
      <>
        <IconButton icon="arrow-clockwise" label={t('common.refresh')} onClick={refresh} />
        {props.actions}
      </>
    ) : (
      props.actions
    )
  return (
    <div
      className={cx(styles.ground, props.bar === 'phone' && styles.phoneBar)}
      data-ground={ground}
      style={props.style}
    >
      <div
        className={cx(styles.page, width === 'wide' && styles.wide)}
        data-footer-edge={footerAtEdge || undefined}
      >
        <TitleBar
          title={title}
          root={root}
          {...(subtitle === undefined ? {} : { subtitle })}
          {...(actions === undefined ? {} : { actions })}
          {...(backTo === undefined
            ? {}
            : { back: { label: t('common.back'), onClick: () => goBack(backTo) } })}
        />
        {live === false ? (
          <StaleDataLine />
        ) : (
          <ConnectionStatus prices={live === true} fallback={live === true && <MaintenanceLine />} />
        )}
        {refreshAt !== undefined && <PullToRefresh refreshing={refreshing} onRefresh={refresh} />}
        <main className={cx(styles.main, width === 'column' && styles.column)}>
          {props.children}
          {refreshAt !== undefined && props.bar === 'phone' && (
            <div className={styles.refresh}>
              <Button variant="text" size="small" icon="arrow-clockwise" busy={refreshing} onClick={refresh}>
                {t('common.refresh')}
              </Button>
            </div>
          )}
        </main>
        {footer !== undefined && (
          <footer className={styles.footer} data-page-footer="">
            {footer}
          </footer>
        )}
      </div>
    </div>
  )
}
