import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { directions, finalStatuses } from '../../../contract/orders.ts'
import type { Product } from '../../../streams/index.ts'
import type { SetQuery } from '../../router/useQuery.ts'
import { Pill, PillSelect } from '../../ui/index.ts'
import { isFiltered, type FilterQuery } from './filters.ts'
import { DateSpanSelect } from '../../features/lists/DateSpanSelect.tsx'
import styles from '../../features/lists/FilterBar.module.css'
import type { OrderTab } from '../../features/orders/list.ts'

export type OrderFilterBarProps = {
  tab: OrderTab
  query: FilterQuery
  products: readonly Product[]
  onQuery: SetQuery
}

const cleared = { product: undefined, direction: undefined, result: undefined, date: undefined }

/** The filters above a list of orders; each is stored in the address. */
export function OrderFilterBar({ tab, query, products, onQuery }: OrderFilterBarProps) {
  const { t } = useTranslation()
  const row = useRef<HTMLFieldSetElement>(null)
  const filtered = isFiltered(query)
  useEffect(() => {
    if (row.current === null) return
    if (filtered) scrollToLastActive(row.current)
    else row.current.scrollLeft = 0
    // Not on every change: scrolling to another active filter would move the one just touched out of view.
  }, [filtered])
  const set = (name: string) => (value: string) => onQuery({ [name]: value === '' ? undefined : value })
  return (
    <fieldset ref={row} className={styles.filters} aria-label={t('orders.filters')}>
      <Pill selected={!filtered} onClick={() => onQuery(cleared)}>
        {t('orders.all')}
      </Pill>
      <PillSelect
        label={t('orders.product')}
        value={query.product}
        onValue={set('product')}
        options={[
          { value: '', label: t('orders.anyProduct') },
          ...products.map(({ id, code }) => ({ value: id, label: code })),
        ]}
      />
      <PillSelect
        label={t('orders.direction')}
        value={query.direction}
        onValue={set('direction')}
        options={[
          { value: '', label: t('orders.anyDirection') },
          ...directions.map((value) => ({ value, label: t(`order.${value}`) })),
        ]}
      />
      {tab !== 'positions' && (
        <PillSelect
          label={t('orders.result')}
          value={query.result}
          onValue={set('result')}
          options={[
            { value: '', label: t('orders.anyResult') },
            ...finalStatuses.map((value) => ({ value, label: t(`order.status.${value}`) })),
          ]}
        />
      )}
      <DateSpanSelect span={query.span} onSpan={(date) => onQuery({ date })} />
    </fieldset>
  )
}

/** On a narrow phone an active filter may be outside the view, and the list would look unfiltered. */
function scrollToLastActive(row: HTMLElement): void {
  const lastActive = [...row.querySelectorAll('[data-selected]')].at(-1)
  if (lastActive === undefined) return
  const { left, right } = lastActive.getBoundingClientRect()
  const box = row.getBoundingClientRect()
  const gutter = Number.parseFloat(getComputedStyle(row).paddingLeft)
  if (right > box.right - gutter) row.scrollLeft += right - box.right + gutter
  else if (left < box.left + gutter) row.scrollLeft += left - box.left - gutter
}
