import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createLazy } from '../../../start/lazy.ts'
import { useLazyValue } from '../../../start/useLazyValue.ts'
import { loadFailureText } from '../../../start/loadFailureText.ts'
import { Icon, toast } from '../../../ui/index.ts'
import styles from './ProductTitle.module.css'

const switcherSheet = createLazy(() => import('./SwitcherSheet.tsx'), { name: 'switcherSheet' })

/** The product's code; where no list is beside the chart, it opens the switcher. */
export function ProductTitle({ id, code }: { id: string; code: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const sheet = useLazyValue(switcherSheet)
  const show = async (): Promise<void> => {
    const loaded = await switcherSheet.getOrReload()
    if (loaded.ok) setOpen(true)
    else toast({ kind: 'problem', text: loadFailureText(t, loaded.failure) })
  }
  return (
    <>
      <button type="button" className={styles.title} aria-haspopup="dialog" onClick={() => void show()}>
        {code}
        <Icon name="caret-down-bold" size={14} />
      </button>
      {sheet && <sheet.SwitcherSheet current={id} open={open} onClose={() => setOpen(false)} />}
    </>
  )
}
