import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { quietMs } from '../hooks/useAway.ts'
import { useConfig } from '../hooks/useConfig.ts'
import { useFormat } from '../hooks/useFormat.ts'
import { useLasting } from '../hooks/useLasting.ts'
import { useNow } from '../hooks/useNow.ts'
import { useObservable } from '../hooks/useObservable.ts'
import { useRestingText } from '../hooks/useRestingText.ts'
import { useStreams } from '../hooks/useStreams.ts'
import { ConnectionLine } from '../ui/ConnectionLine.tsx'
import type { IconName } from '../ui/iconNames.ts'
import { useShownAsOf } from './asOf.ts'
import { notConnected } from './connection.ts'
import styles from './ConnectionStatus.module.css'

/**
 * The thin line under the bar while the venue cannot be heard: how old prices are where there are any, else from when
 * the page is. While it is heard, `otherwise` may say more.
 */
export function ConnectionStatus({
  prices = true,
  otherwise = null,
}: {
  prices?: boolean
  otherwise?: ReactNode
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { connection$ } = useStreams()
  const { state, stale, lastHeardAt } = useObservable(connection$, notConnected)
  const trouble = state === 'idle' ? false : state !== 'online' || stale
  const lasting = useLasting(trouble, quietMs)
  const now = useNow()
  const silentMs = lastHeardAt === undefined || now === 0 ? 0 : Math.max(0, now - lastHeardAt)
  // On the next page of the same trouble it is told at once.
  const told = lasting || (trouble && silentMs > quietMs)
  const asOf = useShownAsOf()
  if (asOf !== undefined) return <AsOfLine />
  if (!told) return otherwise
  const seconds = Math.round(silentMs / 1000)
  const spoken = state === 'refused' ? t('connection.refused') : t('connection.reconnecting')
  const since =
    prices || state === 'refused' || lastHeardAt === undefined ? undefined : format.dateTimeShort(lastHeardAt)
  const text =
    since !== undefined
      ? t('connection.reconnectingAsOf', { time: since })
      : !prices || state === 'refused' || seconds < 2
        ? spoken
        : t('connection.pausedFor', { seconds: seconds.toString() })
  return <Line spoken={spoken}>{text}</Line>
}

/** The same line on a page that nothing on it keeps up to date: from when it is, where that is not now. */
export function AsOfLine() {
  const { t } = useTranslation()
  const format = useFormat()
  const asOf = useShownAsOf()
  if (asOf === undefined) return null
  const text = t('connection.offlineAsOf', { time: format.dateTimeShort(asOf) })
  return <Line spoken={text}>{text}</Line>
}

/** Nothing can be traded, on no product: where prices are shown it is said, with the hour that it ends. */
export function MaintenanceLine() {
  const config = useConfig()
  const text = useRestingText('maintenance', config?.siteOpensAt ?? null)
  return config?.siteStatus === 'maintenance' ? (
    <Line spoken={text} icon="wrench">
      {text}
    </Line>
  ) : null
}

const Line = ({ children, ...rest }: { spoken: string; icon?: IconName; children: string }) => (
  <div className={styles.sticky}>
    <ConnectionLine {...rest}>{children}</ConnectionLine>
  </div>
)
