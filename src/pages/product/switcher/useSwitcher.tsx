import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { createLazy } from '../../../start/lazy.ts'
import { loadFailureText } from '../../../start/loadFailureText.ts'
import { useLazyValue } from '../../../start/useLazyValue.ts'
import { toast } from '../../../ui/index.ts'

const switcherSheet = createLazy(() => import('./SwitcherSheet.tsx'), { name: 'switcherSheet' })

/** The sheet that leads from a product to another one, and what opens it. */
export function useSwitcher(id: string): { switcher: ReactNode; openSwitcher: () => void } {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const sheet = useLazyValue(switcherSheet)
  const openSwitcher = useCallback(() => {
    const show = async (): Promise<void> => {
      const loaded = await switcherSheet.getOrReload()
      if (loaded.ok) setOpen(true)
      else toast({ kind: 'problem', text: loadFailureText(t, loaded.failure) })
    }
    void show()
  }, [t])
  // The page renders every second, the sheet only when it changes.
  const switcher = useMemo(
    () => sheet && <sheet.SwitcherSheet current={id} open={open} onClose={() => setOpen(false)} />,
    [sheet, id, open],
  )
  return { switcher, openSwitcher }
}
