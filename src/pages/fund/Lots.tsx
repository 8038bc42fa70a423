import { useTranslation } from 'react-i18next'
import { fundRoutes, type FundLot } from '../../../contract/fund.ts'
import { useReloadOn } from '../../hooks/useReloadOn.ts'
import { useList, type ListSource } from '../../hooks/useList.ts'
import { Badge, Card, Pill } from '../../ui/index.ts'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import styles from './Lots.module.css'
import { lotMatches, lotFilters, type LotFilter } from './lotFilter.ts'
import { LotTimeline } from './LotTimeline.tsx'
import { useDepositedText } from './useDepositedText.ts'
import { PagedCard } from './PagedCard.tsx'

const lotSource: ListSource<FundLot> = {
  load: (call, after, signal) => call(fundRoutes.fundLots, { query: { limit: '100', ...after } }, { signal }),
}
const names = {
  all: 'fund.lotAll',
  confirmed: 'fund.lotConfirmed',
  pending: 'fund.status.pending_review',
} as const

export type LotsProps = {
  version: number | undefined
  status: LotFilter
  onStatus: (status: LotFilter) => void
}

/** The lots behind total, confirmed and pending: each transfer in, with its dates and what is left of it. */
export function Lots({ version, status, onStatus }: LotsProps) {
  const { t } = useTranslation()
  const pages = useList(lotSource)
  const { items, reload } = pages
  useReloadOn(version, reload)
  const shown = items.filter((lot) => lotMatches(lot, status))
  return (
    <>
      <div className={styles.pills} role="group" aria-label={t('fund.lotStatus')}>
        {lotFilters.map((value) => (
          <Pill key={value} selected={value === status} onClick={() => onStatus(value)}>
            {t(names[value])}
          </Pill>
        ))}
        <span className={styles.practice}>
          <PracticeBadge />
        </span>
      </div>
      <PagedCard pages={pages} empty={{ title: t('fund.noLots'), text: t('fund.noLotsText') }}>
        <Card>
          {shown.length === 0 && <p className={styles.none}>{t('fund.noLotsOf')}</p>}
          <ul>
            {shown.map((lot) => (
              <li key={lot.id} className={styles.lot}>
                <Lot lot={lot} />
              </li>
            ))}
          </ul>
        </Card>
      </PagedCard>
    </>
  )
}

function Lot({ lot }: { lot: FundLot }) {
  const { t } = useTranslation()
  const money = useMaskedMoney()
  const pending = lot.status === 'pending_review'
  const isUsedUp = lot.remaining === '0.00'
  const depositedText = useDepositedText(lot)
  return (
    <>
      <div className={styles.head}>
        <span className={styles.amount}>{money(lot.remaining)}</span>
        {isUsedUp ? (
          <Badge>{t('fund.lotUsed')}</Badge>
        ) : (
          <Badge {...(pending ? { icon: 'clock' } : { kind: 'success' })}>
            {t(`fund.status.${lot.status}`)}
          </Badge>
        )}
      </div>
      <p className={styles.caption}>
        {lot.kind === 'earnings'
          ? t('fund.lotEarnings')
          : lot.remaining === lot.amount
            ? depositedText
            : `${depositedText} · ${t('fund.lotOf', {
                remaining: money(lot.remaining),
                amount: money(lot.amount),
              })}`}
      </p>
      {lot.kind === 'deposit' && !isUsedUp && <LotTimeline lot={lot} />}
    </>
  )
}
