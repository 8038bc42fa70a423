import { useTranslation } from 'react-i18next'
import { useSession } from '../../state/session.ts'
import { IconButton } from '../../ui/index.ts'

export type AlertButtonProps = { size?: number; isLoading: boolean; onOpen: () => void }

/** Opens the price alerts of a member; a guest has none. */
export function AlertButton({ size = 24, isLoading, onOpen }: AlertButtonProps) {
  const { t } = useTranslation()
  const isMember = useSession().token !== null
  if (!isMember) return null
  return (
    <IconButton icon="bell-ringing" size={size} label={t('alert.title')} busy={isLoading} onClick={onOpen} />
  )
}
