import { useTranslation } from 'react-i18next'
import { useConfig } from '../../hooks/useConfig.ts'
import { Badge } from '../../ui/index.ts'

/** The mark of practice money, beside the label of every balance. Nothing where the money is real. */
export function PracticeBadge() {
  const { t } = useTranslation()
  return useConfig()?.mode === 'practice' ? <Badge kind="practice">{t('common.practice')}</Badge> : null
}
