import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createLazy } from '../../start/lazy.ts'
import { useLazyValue } from '../../start/useLazyValue.ts'
import { useSession } from '../../state/session.ts'
import type { ProductDetail } from '../../../streams/index.ts'
import { IconButton, toast } from '../../ui/index.ts'

const alertSheet = createLazy(() => import('./AlertSheet.tsx'), { name: 'alertSheet' })

/** Opens the price alerts of a member; a guest has none. */
export function AlertButton({ product, size = 24 }: { product: ProductDetail; size?: number }) {
  const { t } = useTranslation()
  const isMember = useSession().token !== null
  const [open, setOpen] = useState(false)
  const module = useLazyValue(alertSheet)
  const show = async (): Promise<void> => {
    setOpen(true)
    const loaded = await alertSheet.getOrReload()
    if (loaded.ok) return
    setOpen(false)
    toast({ kind: 'problem', text: t('alert.failed') })
  }
  if (!isMember) return null
  return (
    <>
      <IconButton
        icon="bell-ringing"
        size={size}
        label={t('alert.title')}
        busy={open && !module}
        onClick={() => void show()}
      />
      {module && <module.AlertSheet product={product} open={open} onClose={() => setOpen(false)} />}
    </>
  )
}
