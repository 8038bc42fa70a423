import { useMemo, useState } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import { resultRoutes, type OwnResults } from '../../../contract/results.ts'
import { hourMs, minuteMs } from '../../../contract/time.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { useSessions } from '../../features/account/useSessions.ts'
import { toneOf } from '../../features/orders/pnl.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useMinute } from '../../hooks/useMinute.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { noValue } from '../../text/format.ts'
import { Card, ListRow, TextLink } from '../../ui/index.ts'
import styles from './SelfLimits.module.css'

/** How long the member has been logged in on this device, and what the orders settled since then came to; on request. */
export function SessionSoFar() {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <Card>
      {isShown ? (
        <Session />
      ) : (
        <ListRow
          label={t('limits.session')}
          caption={t('limits.sessionHint')}
          end={<TextLink onClick={() => setShown(true)}>{t('limits.sessionShow')}</TextLink>}
        />
      )}
    </Card>
  )
}

function Session() {
  const { t } = useTranslation()
  const { loadable, reload } = useSessions()
  const since = valueOf(loadable)?.find(({ current }) => current)?.createdAt
  if (since !== undefined) return <Since at={since} />
  if (loadable.state === 'failed') return <Failed onRetry={reload} />
  return <ListRow label={t('limits.session')} caption={t('common.loading')} />
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <ListRow
      label={t('limits.session')}
      caption={t('results.failed')}
      end={<TextLink onClick={onRetry}>{t('common.retry')}</TextLink>}
    />
  )
}

/** Since an instant of the venue's clock. */
function Since({ at }: { at: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const now = useMinute()
  const { loadable, reload } = useResource(
    useMemo(
      (): ResourceSource<OwnResults> => ({
        fetch: (call, signal) => call(resultRoutes.results, { query: { from: String(at) } }, { signal }),
      }),
      [at],
    ),
  )
  const total = valueOf(loadable)?.total
  if (total === undefined && loadable.state === 'failed') return <Failed onRetry={reload} />
  const caption = [
    t('limits.sessionSince', { date: format.dateTimeShort(at), time: timeText(t, Math.max(0, now - at)) }),
    ...(total === undefined ? [] : [t('results.orders', { count: total.orders })]),
  ].join(' · ')
  return (
    <ListRow
      label={t('limits.session')}
      caption={caption}
      value={
        <span className={styles.pnl} data-tone={toneOf(total && moneyOf(total.pnl))}>
          {total === undefined ? noValue : money(total.pnl, 'always')}
        </span>
      }
    />
  )
}

/** Whole hours and minutes: 2 h 13 min. */
export function timeText(t: TFunction, ms: number): string {
  const hours = Math.floor(ms / hourMs)
  const minutes = t('ticket.minutes', { n: Math.floor((ms % hourMs) / minuteMs) })
  return hours === 0 ? minutes : `${t('ticket.hours', { n: hours })} ${minutes}`
}
