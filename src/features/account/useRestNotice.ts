import { useTranslation } from 'react-i18next'
import { hourMs } from '../../../contract/time.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'

/** A text about a change after which withdrawals are paused, with the pause, unless the venue's setting is none. */
export function useRestNotice(): (text: string) => string {
  const { t } = useTranslation()
  const format = useFormat()
  const hours = useVenueConfig()?.withdrawalRestHours ?? 0
  return (text) => {
    if (hours === 0) return text
    const rest = t('withdraw.restFollows', { wait: format.wait(hours * hourMs) })
    return t('common.sentences', { first: text, second: rest })
  }
}
