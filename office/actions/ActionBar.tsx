import { useState } from 'react'
import { Button } from '../../src/ui/Button.tsx'
import { useTexts } from '../i18n.ts'
import type { CommandGroup } from '../keys/commands.ts'
import { Keys } from '../keys/Keys.tsx'
import { useCommands } from '../keys/useCommands.ts'
import type { Action } from './action.ts'
import { ActionDialog } from './ActionDialog.tsx'
import styles from './ActionBar.module.css'

const ignore = (): void => undefined

type ActionBarProps = {
  actions: readonly Action[]
  onDone?: (answer: unknown) => void
  group?: CommandGroup
}

/** The buttons of what can be done, with their keys, and the dialog of the one that was chosen. */
export function ActionBar({ actions, onDone = ignore, group = 'request' }: ActionBarProps) {
  const t = useTexts()
  const [openKey, setOpenKey] = useState<string | null>(null)
  const open = actions.find(({ key }) => key === openKey)
  useCommands(actions.map(({ key, label }) => ({ label, keys: key, group, run: () => setOpenKey(key) })))
  return (
    <div className={styles.bar}>
      {actions.map(({ key, label, main }) => (
        <Button
          key={key}
          size="small"
          variant={main === true ? 'primary' : 'secondary'}
          onClick={() => setOpenKey(key)}
        >
          {t(label)} <Keys keys={key} />
        </Button>
      ))}
      {open && <ActionDialog action={open} onDone={onDone} onClose={() => setOpenKey(null)} />}
    </div>
  )
}
