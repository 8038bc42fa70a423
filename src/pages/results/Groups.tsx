import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { OwnResults, ResultGroup } from '../../../contract/results.ts'
import { useMaskedMoney } from '../../features/account/useMaskedMoney.ts'
import { durationText } from '../../features/orders/duration.ts'
import { toneOf } from '../../features/orders/pnl.ts'
import { useCatalog } from '../../hooks/useCatalog.ts'
import { useDayFormat } from '../../hooks/useDays.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Card, ListRow, Tabs } from '../../ui/index.ts'
import { groupCaption } from './shares.ts'
import styles from './Results.module.css'

const groupings = ['product', 'duration', 'direction', 'month'] as const
type Grouping = (typeof groupings)[number]

export type GroupsProps = {
  results: OwnResults
  /** The grouping in the address. */
  by: string | null
  onBy: (by: Grouping) => void
}

/** The results by product, duration, direction or month. */
export function Groups({ results, by, onBy }: GroupsProps) {
  const { t } = useTranslation()
  const rows = useRows(results)
  const current = groupings.find((name) => name === by) ?? 'product'
  return (
    <Card>
      <Tabs
        inset
        label={t('results.groupings')}
        items={groupings.map((value) => ({ value, label: t(`results.by.${value}`) }))}
        value={current}
        onChange={onBy}
      >
        {rows[current].map(({ key, label, group }) => (
          <GroupRow key={key} label={label} group={group} />
        ))}
      </Tabs>
    </Card>
  )
}

type Row = { key: string; label: string; group: ResultGroup }

function useRows(results: OwnResults): Record<Grouping, Row[]> {
  const { t } = useTranslation()
  const products = useCatalog()
  const { monthHead } = useDayFormat()
  const codeOf = (id: string): string => products?.find((product) => product.id === id)?.code ?? id
  return {
    product: results.byProduct.map((group) => ({
      key: group.productId,
      label: codeOf(group.productId),
      group,
    })),
    duration: results.byDuration.map((group) => ({
      key: String(group.seconds),
      label: durationText(t, group.seconds),
      group,
    })),
    direction: results.byDirection.map((group) => ({
      key: group.direction,
      label: t(`order.${group.direction}`),
      group,
    })),
    month: results.byMonth.map((group) => ({ key: group.month, label: monthHead(group.month), group })),
  }
}

function GroupRow({ label, group }: { label: string; group: ResultGroup }) {
  const { t } = useTranslation()
  const format = useFormat()
  const money = useMaskedMoney()
  return (
    <ListRow
      label={label}
      caption={groupCaption(t, format, group, money(group.stake))}
      value={
        <span className={styles.pnl} data-tone={toneOf(moneyOf(group.pnl))}>
          {money(group.pnl, 'always')}
        </span>
      }
    />
  )
}
