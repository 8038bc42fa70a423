import { useTranslation } from 'react-i18next'
import { useFormat } from './useFormat.ts'
import { useMinute } from './useMinute.ts'

/** Why there is no trading now and, if known, when it opens again: the hour, with its day unless it is today. */
export function useMarketClosedText(kind: 'closed' | 'maintenance', opensAt: number | null): string {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useMinute()
  if (opensAt === null) return t(`products.${kind}`)
  const today = format.date(opensAt) === format.date(now)
  const hour = format.timeShort(opensAt)
  return t(`products.${kind}Until`, { time: today ? hour : `${format.dayHead(opensAt)} ${hour}` })
}
