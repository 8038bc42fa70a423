import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useMedia, wideMedia } from '../hooks/useMedia.ts'
import { useRefresh } from '../hooks/useRefresh.ts'
import { goBack } from '../router/scrollRestoration.ts'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { TitleBar } from '../ui/TitleBar.tsx'
import { PageLayout } from './PageLayout.tsx'
import { StaleDataLine, ConnectionStatus, MaintenanceLine } from './ConnectionStatus.tsx'
import { PullToRefresh } from './PullToRefresh.tsx'
import styles from './Page.module.css'

export type PageProps = {
  /** Flat for prices, orders and forms; cards on canvas for money. */
  ground: 'market' | 'money'
  title: ReactNode
  subtitle?: ReactNode
  actions?: ReactNode
  /** A tab's own page: large title, no back button. */
  root?: boolean
  /** `phone`: from 900 px on the rail replaces the bar, and only the title stays, for screen readers. */
  bar?: 'phone'
  /** The target of the back button if there is no previous page. */
  backTo?: string
  /** Sticks to the bottom edge: a form's submit button. */
  footer?: ReactNode
  /** The footer sticks to the bottom edge on wide screens too, where a form's button otherwise follows its fields. */
  footerAtEdge?: boolean
  /** The maximum width from 900 px on: a reading column, a wide layout for cards and lists, or the full width. */
  width?: 'column' | 'wide' | 'full'
  /** What the page receives while it is open: it shows when the connection is interrupted. */
  receives?: 'prices' | 'events' | undefined
  /** Can be refreshed by pulling down and by a button in the bar; if the bar is hidden, below the content. */
  refresh?: 'bar'
  style?: CSSProperties
  children: ReactNode
}

/** A page: its bar, the connection status and its content on its ground. */
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
    receives,
  } = props
  const { refreshing, refresh } = useRefresh()
  const isWide = useMedia(wideMedia)
  const actions =
    refreshAt === 'bar' ? (
      <>
        <IconButton icon="arrow-clockwise" label={t('common.refresh')} onClick={refresh} />
        {props.actions}
      </>
    ) : (
      props.actions
    )
  const isFooterAtEdge = footer !== undefined && (footerAtEdge || !isWide)
  const line =
    receives === undefined ? (
      <StaleDataLine />
    ) : (
      <ConnectionStatus
        prices={receives === 'prices'}
        fallback={receives === 'prices' && <MaintenanceLine />}
      />
    )
  return (
    <PageLayout {...{ ground, width, footerAtEdge }} bar={props.bar} style={props.style}>
      <TitleBar
        title={title}
        root={root}
        {...(subtitle === undefined ? {} : { subtitle })}
        {...(actions === undefined ? {} : { actions })}
        {...(backTo === undefined
          ? {}
          : { back: { label: t('common.back'), onClick: () => goBack(backTo) } })}
      />
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
          {isFooterAtEdge && line}
          {footer}
        </footer>
      )}
      {!isFooterAtEdge && line}
    </PageLayout>
  )
}
