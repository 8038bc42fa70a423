import { useTranslation } from 'react-i18next'
import { useFormat } from '../../hooks/useFormat.ts'
import { replayAt } from './source.ts'

/** The day whose prices a product replays; nothing if its prices are not replayed. */
export function ReplayDate({ source, className }: { source: string; className: string | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const at = replayAt(source)
  if (at === undefined) return null
  return <span className={className}>{t('products.replay', { date: format.date(at) })}</span>
}
