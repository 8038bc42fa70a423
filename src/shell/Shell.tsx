import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { hourMs } from '../../contract/time.ts'
import { useNow } from '../hooks/useNow.ts'
import { useMedia, wideMedia } from '../hooks/useMedia.ts'
import { useConnection } from '../hooks/useConnection.ts'
import { useStreamsIfReady } from '../hooks/useStreams.ts'
import { useFormat } from '../hooks/useFormat.ts'
import { useOpenCount } from '../hooks/useOpenCount.ts'
import { useServiceHref, useVenueZone } from '../hooks/useVenue.ts'
import { useUnread } from '../hooks/useUnread.ts'
import { hrefTo } from '../router/hashLocation.ts'
import { paths, tabPaths, type TabId } from '../paths.ts'
import { utcOffset } from '../text/utcOffset.ts'
import { UpdatePrompt } from '../pwa/UpdatePrompt.tsx'
import { AlarmBanner } from './AlarmBanner.tsx'
import { LanguageSelect } from './LanguageSelect.tsx'
import type { NavItem } from '../ui/navItem.ts'
import { Rail } from '../ui/Rail.tsx'
import { TabBar } from '../ui/TabBar.tsx'
import { ToastRegion } from '../ui/ToastRegion.tsx'
import styles from './Shell.module.css'

const tabs: readonly (Omit<NavItem, 'label' | 'href'> & { id: TabId })[] = [
  { id: 'home', icon: 'house', activeIcon: 'house-fill' },
  { id: 'products', icon: 'chart-line-up', activeIcon: 'chart-line-up-fill' },
  { id: 'fund', icon: 'vault', activeIcon: 'vault-fill' },
  { id: 'user', icon: 'user-circle', activeIcon: 'user-circle-fill' },
]

/** Pages that belong to one with an item of its own in the rail. */
const parentPages: ReadonlyMap<string, string> = new Map([
  [paths.order, paths.orders],
  [paths.results, paths.orders],
  [paths.alerts, paths.messages],
  [paths.password, paths.settings],
  [paths.security, paths.settings],
  [paths.limits, paths.settings],
  [paths.sessions, paths.settings],
  [paths.ownData, paths.settings],
])

export type ShellProps = {
  path: string
  tab: TabId | undefined
  /** A tab's own page shows the tab bar; its subpages have their own footer. */
  tabBar: boolean
  /** Welcome and login have no navigation. */
  bare: boolean
  children: ReactNode
}

/** The frame around every page: the tabs, at the bottom of a phone and at the left of a wide window. */
export function Shell({ path, tab, tabBar, bare, children }: ShellProps) {
  const { t } = useTranslation()
  const unread = useUnread()
  const service = useServiceHref()
  const openCount = useOpenCount()
  const open = { count: openCount, countText: t('home.open', { count: openCount }) }
  const items = tabs.map((item) => ({ ...item, href: hrefTo(tabPaths[item.id]), label: t(`nav.${item.id}`) }))
  const secondary: NavItem[] = [
    { id: 'orders', href: hrefTo(paths.orders), icon: 'receipt', label: t('title.orders'), ...open },
    {
      id: 'messages',
      href: hrefTo(paths.messages),
      icon: 'bell',
      label: t('nav.messages'),
      count: unread.messages,
    },
    { id: 'service', href: service, icon: 'headset', label: t('nav.service'), count: unread.service },
    { id: 'settings', href: hrefTo(paths.settings), icon: 'gear-six', label: t('title.settings') },
  ]
  const navPath = parentPages.get(path) ?? path
  const secondaryItem = secondary.find(({ href }) => href === hrefTo(navPath))
  return (
    <div className={bare ? styles.bare : styles.shell} data-tabs={tabBar || undefined}>
      <button type="button" className={styles.skip} onClick={focusContent}>
        {t('nav.skip')}
      </button>
      {!bare && (
        <Rail
          label={t('nav.label')}
          items={items}
          current={secondaryItem?.id ?? tab}
          brand={{ name: t('common.appName'), href: hrefTo(paths.home) }}
          secondary={secondary}
          last={<LanguageSelect variant="rail" />}
          footer={<RailFooter />}
        />
      )}
      <div className={styles.column}>
        {!bare && <AlarmBanner />}
        {children}
      </div>
      {tabBar && (
        <TabBar
          label={t('nav.label')}
          items={items.map((item) => (item.id === 'home' ? { ...item, ...open } : item))}
          current={tab}
        />
      )}
      {tabBar && <UpdatePrompt />}
      <ToastRegion label={t('common.notices')} />
    </div>
  )
}

/** A button instead of a fragment link, because with hash routing a fragment is a page. */
function focusContent(): void {
  const main = document.querySelector('main')
  main?.setAttribute('tabindex', '-1')
  main?.focus()
}

/** The footer of the rail, where the rail is shown, once there are streams: it changes every second. */
const RailFooter = () => (useStreamsIfReady() === null ? null : <WideFooter />)
const WideFooter = () => (useMedia(wideMedia) ? <VenueTime /> : null)

/** Whether prices arrive, and the venue's clock. */
function VenueTime() {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const zone = useVenueZone()
  const hour = Math.floor(now / hourMs) * hourMs
  const offset = useMemo(() => utcOffset(zone, hour), [zone, hour])
  const { state, stale } = useConnection()
  const isLive = state === 'online' && !stale
  if (now === 0) return null
  return (
    <span className={styles.venue} data-live={isLive || undefined}>
      <span className={styles.state}>{isLive ? t('common.connected') : t('common.disconnected')}</span>
      <span className={styles.at}>
        {format.time(now)} {offset}
      </span>
    </span>
  )
}
