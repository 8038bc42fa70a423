import { toast } from '../../src/ui/toastStore.ts'
import { useRun } from '../data/useRun.ts'
import { useTexts } from '../i18n.ts'
import { useKeptText } from '../state/drafts.ts'
import { hrefTo } from '../../src/router/hashLocation.ts'
import { isProposed, undoOf, type Action } from './action.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { ValueDialog } from './ValueDialog.tsx'

export type ActionDialogProps = {
  action: Action
  about?: string | undefined
  onDone: (answer: unknown) => void
  onClose: () => void
}

/** The dialog of an action: what happens, what it needs, and one more press. */
export function ActionDialog({ action, about, onDone, onClose }: ActionDialogProps) {
  const t = useTexts()
  const kept = useKeptText(action.draft)
  const { run, busy, failure } = useRun(action.run, (answer) => {
    kept[1]('')
    const done = t(isProposed(answer) ? 'proposal.made' : action.done)
    const undo = undoOf(answer)
    toast({
      text: about === undefined ? done : `${done} ${about}`,
      kind: 'success',
      ...(undo !== null && { link: { label: t('proposal.undo'), href: hrefTo(undo) } }),
    })
    onClose()
    onDone(answer)
  })
  const { label, summary, needs, danger, closed, harm, isFinal = false } = action
  const shared = { title: t(label), busy, failure, about, summary, danger, closed, harm, isFinal, onClose }
  if (needs === undefined) {
    return (
      <DecideDialog {...shared} onConfirm={() => run('')}>
        {null}
      </DecideDialog>
    )
  }
  if (needs.kind === 'reason') return <ReasonDialog {...shared} needs={needs} kept={kept} onConfirm={run} />
  return <ValueDialog {...shared} needs={needs} kept={kept} onConfirm={run} />
}
