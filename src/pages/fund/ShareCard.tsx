import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Fund } from '../../../contract/fund.ts'
import type { Format } from '../../text/format.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Button, Card, Stat, Icon, Skeleton } from '../../ui/index.ts'
import { HideAmounts } from '../../features/account/HideAmounts.tsx'
import { PracticeBadge } from '../../features/account/PracticeBadge.tsx'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import styles from './ShareCard.module.css'

/** All that is in the fund, its earnings, the two transfers, and how much is confirmed. */
export function ShareCard({ fund }: { fund: Fund | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  const currency = useVenueConfig()?.currency
  return (
    <Card>
      <div className={styles.top}>
        <div className={styles.labelLine}>
          <span className={styles.label}>{t('fund.total')}</span>
          <PracticeBadge />
          <HideAmounts />
        </div>
        <a className={styles.figure} href={lotsHref()} aria-label={totalName(t, money, fund)}>
          {fund ? <Stat unit={currency}>{money(fund.total)}</Stat> : <Skeleton line={36} width={200} />}
        </a>
        <a className={styles.earned} href={hrefTo(paths.fundDetails, { tab: 'earnings' })}>
          {/* The second begins where the first ends: they come together, and nothing that was shown moves. */}
          <Earned
            key={`yesterday ${fund === undefined}`}
            label={t('fund.yesterday')}
            amount={fund?.yesterdayEarnings}
          />
          <Earned
            key={`total ${fund === undefined}`}
            label={t('fund.totalEarnings')}
            amount={fund?.totalEarnings}
          />
        </a>
        <div className={styles.actions}>
          <Button block href={hrefTo(paths.transfer, { direction: 'in' })}>
            {t('fund.transferIn')}
          </Button>
          <Button block variant="secondary" href={hrefTo(paths.transfer, { direction: 'out' })}>
            {t('fund.transferOut')}
          </Button>
        </div>
        <p className={styles.left}>
          <span>{t('fund.leftToday')}</span>
          {fund ? (
            <span className={styles.times}>
              {t('fund.left', {
                in: format.decimal(String(fund.depositsLeft)),
                out: format.decimal(String(fund.withdrawalsLeft)),
              })}
            </span>
          ) : (
            <Skeleton line={12} width={72} />
          )}
        </p>
      </div>
      <div className={styles.split}>
        <Part label={t('fund.confirmed')} amount={fund?.confirmed} href={lotsHref('confirmed')} />
        <Part label={t('fund.pending')} amount={fund?.pending} href={lotsHref('pending')} />
      </div>
    </Card>
  )
}

const lotsHref = (status?: 'confirmed' | 'pending'): string =>
  hrefTo(paths.fundDetails, { tab: 'lots', status })

const totalName = (t: TFunction, money: Format['money'], fund: Fund | undefined): string =>
  fund ? `${t('fund.total')} ${money(fund.total)}` : t('fund.total')

function Earned({ label, amount }: { label: string; amount: string | undefined }) {
  const money = useMaskedMoney()
  return (
    <span>
      {label}{' '}
      {amount === undefined ? (
        <Skeleton line={13} width={40} />
      ) : (
        <strong className={styles.amount}>{money(amount, 'always')}</strong>
      )}
    </span>
  )
}

function Part({ label, amount, href }: { label: string; amount: string | undefined; href: string }) {
  const money = useMaskedMoney()
  return (
    <a className={styles.part} href={href}>
      <span className={styles.partText}>
        <span className={styles.partLabel}>{label}</span>
        {amount === undefined ? (
          <Skeleton line={15} width={80} />
        ) : (
          <span className={styles.partAmount}>{money(amount)}</span>
        )}
      </span>
      <Icon name="caret-right" size={16} className={styles.caret} />
    </a>
  )
}
