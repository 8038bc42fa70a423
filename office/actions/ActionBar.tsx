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
  /** What the actions are done to: member, number, amount. Named in each dialog. */
  about?: string | undefined
  /** The label of the action whose dialog opens at first, as soon as it is offered. */
  first?: string | null
}

/** The buttons of what can be done, with their keys, and the dialog of the one that was chosen. */
export function ActionBar({
  actions,
  onDone = ignore,
  group = 'request',
  about,
  first = null,
}: ActionBarProps) {
  const t = useTexts()
  const [picked, setChosen] = useState<Action | null>()
  const chosen = picked === undefined ? (actions.find(({ label }) => label === first) ?? null) : picked
  // What is offered no more, because it was decided elsewhere meanwhile, stays open: its dialog says so.
  const open = actions.find((action) => action.label === chosen?.label) ?? chosen
  useCommands(
    actions.map((action) => ({
      label: action.label,
      keys: action.key,
      group,
      run: () => {
        if (action.closed === undefined) setChosen(action)
      },
    })),
  )
  const reasons = [...new Set(actions.flatMap(({ closed }) => closed ?? []))]
  return (
    <div className={styles.bar}>
      {actions.map((action) => (
        <Button
          key={action.key}
          size="small"
          variant={action.main === true ? 'primary' : 'secondary'}
          className={action.harm && styles.harm}
          disabled={action.closed !== undefined}
          onClick={() => setChosen(action)}
        >
          {t(action.label)} <Keys keys={action.key} />
        </Button>
      ))}
      {reasons.length > 0 && (
        <p role="status" className={styles.closed}>
          {reasons.join(' ')}
        </p>
      )}
      {open && <ActionDialog action={open} about={about} onDone={onDone} onClose={() => setChosen(null)} />}
    </div>
  )
}
