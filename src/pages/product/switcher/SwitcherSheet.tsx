import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { preferences } from '../../../state/preferences.ts'
import { Sheet } from '../../../ui/index.ts'
import { ProductPicker } from './ProductPicker.tsx'
import styles from './SwitcherSheet.module.css'

export type SwitcherSheetProps = { current: string; open: boolean; onClose: () => void }

/** The switcher from product to product: a search, favourites, those seen last, and all others. */
export function SwitcherSheet({ current, open, onClose }: SwitcherSheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet open={open} onClose={onClose} title={t('switcher.title')} closeLabel={t('common.close')}>
      <div className={styles.list}>{open && <Picker current={current} onPick={onClose} />}</div>
    </Sheet>
  )
}

function Picker({ current, onPick }: { current: string; onPick: () => void }) {
  // As it was on opening: the rows stay where they are.
  const [lastSeen] = useState(() => preferences.lastSeen.filter((id) => id !== current))
  return <ProductPicker current={current} lastSeen={lastSeen} onPick={onPick} />
}
