import { useTranslation } from 'react-i18next'
import { PillSelect } from '../../ui/index.ts'
import { dateSpans, type DateSpan } from './dateSpan.ts'

export type DateSpanSelectProps = { span: DateSpan | ''; onSpan: (span: string | undefined) => void }

/** A filter by date; `onSpan` receives undefined for any date. */
export function DateSpanSelect({ span, onSpan }: DateSpanSelectProps) {
  const { t } = useTranslation()
  return (
    <PillSelect
      label={t('orders.date')}
      value={span}
      onValue={(value) => onSpan(value === '' ? undefined : value)}
      options={[
        { value: '', label: t('orders.anyDate') },
        ...dateSpans.map((value) => ({ value, label: t(`orders.${value}`) })),
      ]}
    />
  )
}
