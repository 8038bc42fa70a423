import { useTranslation } from 'react-i18next'
import { fundRoutes, type Fund, type FundLot } from '../../../contract/fund.ts'
import type { RouteAnswer } from '../../../contract/route.ts'
import { failedText } from '../../api/failureText.ts'
import { useBusinessOffset, useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { Card, Skeleton, TextLink } from '../../ui/index.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { LotTimeline } from './LotTimeline.tsx'
import { useDepositedText } from './useDepositedText.ts'
import styles from './PendingTransfers.module.css'

/** More than the number of transfers that can be pending: five a day, over the longest period without a trading day. */
const pageSize = '100'

const lotsSource: ResourceSource<RouteAnswer<typeof fundRoutes.fundLots>> = {
  fetch: (call, signal) => call(fundRoutes.fundLots, { query: { limit: pageSize } }, { signal }),
}

/** The lots waiting to be confirmed, with their dates. Reloads when the fund's version changes. */
export function PendingTransfers({ fund }: { fund: Fund | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const { loadable, reload } = useResource(lotsSource)
  useReloadOn(fund?.version, reload)
  const lots = valueOf(loadable)?.items.filter(({ status }) => status === 'pending_review')
  return (
    <Card>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('fund.pendingLots')}</h2>
        {fund && <span className={styles.sum}>{money(fund.pending)}</span>}
      </div>
      {lots?.map((lot) => (
        <Lot key={lot.id} lot={lot} />
      ))}
      {lots?.length === 0 && <NothingPending fund={fund} />}
      {lots === undefined && loadable.state === 'failed' && (
        <p className={styles.note}>
          {failedText(t, format, t('fund.listFailed'), loadable.failure)}{' '}
          <TextLink onClick={reload}>{t('common.retry')}</TextLink>
        </p>
      )}
      {loadable.state === 'loading' && (
        <div className={styles.lot}>
          <Skeleton line={15} width={88} />
          <Skeleton height={56} />
        </div>
      )}
    </Card>
  )
}

function Lot({ lot }: { lot: FundLot }) {
  const money = useMaskedMoney()
  return (
    <section className={styles.lot}>
      <div className={styles.lotHead}>
        <h3 className={styles.amount}>{money(lot.amount)}</h3>
        <span className={styles.when}>{useDepositedText(lot)}</span>
      </div>
      <LotTimeline lot={lot} />
    </section>
  )
}

/** When a transfer made now would be confirmed and credited. */
function NothingPending({ fund }: { fund: Fund | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const days = useDayFormat()
  const offsetMs = useBusinessOffset()
  return (
    <p className={styles.note}>
      {t('fund.nothingPending')}
      {fund && (
        <>
          <br />
          {t('fund.nextDates', {
            cutoff: format.dateTimeShort(fund.cutoffAt + offsetMs),
            confirm: days.long(fund.nextConfirmOn),
            credit: days.long(fund.nextCreditOn),
          })}
        </>
      )}
    </p>
  )
}
