import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { unreachableAfterMs } from '../hooks/useVenueUnreachable.ts'
import { useVenueConfig } from '../hooks/useVenue.ts'
import { useFormat } from '../hooks/useFormat.ts'
import { useDebouncedTrue } from '../hooks/useDebouncedTrue.ts'
import { useDeviceOffline } from '../hooks/useDeviceOffline.ts'
import { useSocketBlocked } from '../hooks/useSocketBlocked.ts'
import { useNow } from '../hooks/useNow.ts'
import { useConnection } from '../hooks/useConnection.ts'
import { useMarketClosedText } from '../hooks/useMarketClosedText.ts'
import { ConnectionLine } from '../ui/ConnectionLine.tsx'
import { Icon } from '../ui/Icon.tsx'
import type { IconName } from '../ui/iconNames.ts'
import { useStaleDataAt } from './staleData.ts'
import styles from './ConnectionStatus.module.css'

/**
 * The thin line at the lower edge of a page while the connection is interrupted: that the device is offline; or the age of the prices
 * if there are any, otherwise the age of the page. While connected it shows `fallback`.
 */
export function ConnectionStatus({
  prices = true,
  fallback = null,
}: {
  prices?: boolean
  fallback?: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, at, silentMs } = useInterruption()
  if (kind === 'staleData') return <StaleDataLine />
  if (kind === undefined) return fallback
  if (kind === 'offline') return <OfflineLine at={at} />
  const announcement = t(interruptionTexts[kind])
  const seconds = Math.round(silentMs / 1000)
  const text =
    kind !== 'reconnecting'
      ? announcement
      : !prices && at !== undefined
        ? t('connection.reconnectingAsOf', { time: format.dateTimeShort(at) })
        : !prices || seconds < 2
          ? announcement
          : t('connection.pausedFor', { seconds: seconds.toString() })
  return <Line announcement={announcement}>{text}</Line>
}

/**
 * The same in few words within a line that the page has anyway, so that nothing moves: the price beside it has its age.
 * While connected it shows `children`.
 */
export function ConnectionNote({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { kind } = useInterruption()
  if (kind === undefined) return children
  return (
    <output className={styles.note}>
      <Icon name="wifi-slash" size={14} />
      <span>{t(interruptionTexts[kind])}</span>
    </output>
  )
}

const interruptionTexts = {
  staleData: 'connection.offline',
  offline: 'connection.offline',
  blocked: 'connection.blocked',
  refused: 'connection.refused',
  connecting: 'connection.connecting',
  reconnecting: 'connection.reconnecting',
} as const

/** What interrupts the connection, undefined while nothing does; since when, and for how long, if that is known. */
function useInterruption() {
  const { state, stale, lastHeartbeatAt: at } = useConnection()
  const isInterrupted = state === 'idle' ? false : state !== 'online' || stale
  const isPersistent = useDebouncedTrue(isInterrupted, unreachableAfterMs)
  const now = useNow()
  const silentMs = at === undefined || now === 0 ? 0 : Math.max(0, now - at)
  // On navigation during the same interruption it shows at once.
  const isShown = isPersistent || (isInterrupted && silentMs > unreachableAfterMs)
  const isDataStale = useStaleDataAt() !== undefined
  const isBlocked = useSocketBlocked()
  const isDeviceOffline = useDeviceOffline()
  const kind = (): keyof typeof interruptionTexts | undefined => {
    if (isDataStale) return 'staleData'
    if (!isShown) return undefined
    if (isDeviceOffline) return 'offline'
    if (isBlocked) return 'blocked'
    if (state === 'rejected') return 'refused'
    return at === undefined && state !== 'reconnecting' ? 'connecting' : 'reconnecting'
  }
  return { kind: kind(), at, silentMs }
}

/** The same line on a page without live data: the age of the page if its data is stale. */
export function StaleDataLine() {
  const staleDataAt = useStaleDataAt()
  return staleDataAt === undefined ? null : <OfflineLine at={staleDataAt} />
}

/** That the device is offline, and since when if that is known. */
function OfflineLine({ at }: { at: number | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const text =
    at === undefined ? t('error.OFFLINE') : t('connection.offlineAsOf', { time: format.dateTimeShort(at) })
  return <Line announcement={text}>{text}</Line>
}

/** Site maintenance: no product can be traded. Shown on pages with prices, with the time it ends. */
export function MaintenanceLine() {
  const config = useVenueConfig()
  const text = useMarketClosedText('maintenance', config?.siteOpensAt ?? null)
  return config?.siteStatus === 'maintenance' ? (
    <Line announcement={text} icon="wrench">
      {text}
    </Line>
  ) : null
}

const Line = ({ children, ...rest }: { announcement: string; icon?: IconName; children: string }) => (
  <div className={styles.place}>
    <ConnectionLine {...rest}>{children}</ConnectionLine>
  </div>
)
