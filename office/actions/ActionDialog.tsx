import { toast } from '../../src/ui/toastStore.ts'
import { useRun } from '../data/useRun.ts'
import { useTexts } from '../i18n.ts'
import type { Action } from './action.ts'
import { isProposed } from './action.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { ValueDialog } from './ValueDialog.tsx'

export type ActionDialogProps = {
  action: Action
  onDone: (answer: unknown) => void
  onClose: () => void
}

/** The dialog of an action: what happens, what it needs, and one more press. */
export function ActionDialog({ action, onDone, onClose }: ActionDialogProps) {
  const t = useTexts()
  const { run, busy, failure } = useRun(action.run, (answer) => {
    toast({ text: t(isProposed(answer) ? 'proposal.made' : action.done), kind: 'success' })
    onClose()
    onDone(answer)
  })
  const { label, summary, needs } = action
  const shared = { title: t(label), busy, failure, summary, onClose }
  if (needs === undefined) {
    return (
      <DecideDialog {...shared} onConfirm={() => run('')}>
        {null}
      </DecideDialog>
    )
  }
  if (needs.kind === 'reason') return <ReasonDialog {...shared} needs={needs} onConfirm={run} />
  return <ValueDialog {...shared} needs={needs} onConfirm={run} />
}
