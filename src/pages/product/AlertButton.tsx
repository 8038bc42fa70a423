import { useTranslation } from 'react-i18next'
import { useSession } from '../../state/session.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { IconButton } from '../../ui/index.ts'
import { usePriceSheet } from './usePriceSheet.tsx'

/** Opens the price alerts of a member; a guest has none. */
export function AlertButton({ product, size = 24 }: { product: ProductDetail; size?: number }) {
  const { t } = useTranslation()
  const isMember = useSession().token !== null
  const { sheet, isLoading, openSheet } = usePriceSheet('alert', product)
  if (!isMember) return null
  return (
    <>
      <IconButton
        icon="bell-ringing"
        size={size}
        label={t('alert.title')}
        busy={isLoading}
        onClick={() => openSheet()}
      />
      {sheet}
    </>
  )
}
