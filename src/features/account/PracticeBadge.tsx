import { useTranslation } from 'react-i18next'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { Badge } from '../../ui/index.ts'

/** Marks practice money, beside the label of every balance. Renders nothing if the money is real. */
export function PracticeBadge() {
  const { t } = useTranslation()
  return useVenueConfig()?.mode === 'practice' ? <Badge kind="practice">{t('common.practice')}</Badge> : null
}
