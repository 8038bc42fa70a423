import type { Result } from '../../src/api/result.ts'
import { useRun } from '../data/useRun.ts'
import { useTexts } from '../i18n.ts'
import { useKeptText } from '../state/drafts.ts'
import { isProposed, undoOfProposal, type Action } from './action.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { useTellDone } from './useUndo.ts'
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
  const tellDone = useTellDone()
  const [note, setNote] = useKeptText(action.draft && `${action.draft} note`)
  const send = (text: string): Promise<Result<unknown>> => action.run(text, note)
  const { run, busy, failure } = useRun(send, (answer) => {
    kept[1]('')
    setNote('')
    const proposed = isProposed(answer)
    const undo = proposed ? undoOfProposal(answer) : (action.undo?.(answer) ?? null)
    // The next request opens at once: undoing leads back to this one, on which the keys act then.
    const opens = location.hash.slice(1)
    tellDone(t(proposed ? 'proposal.made' : action.done), about, undo && { ...undo, opens })
    onClose()
    onDone(answer)
  })
  const { label, summary, needs, danger, closed, harm, isFinal, tick } = action
  const noteOf = action.forSecond === true ? { text: note, onText: setNote } : undefined
  const final = isFinal && t(isFinal === true ? 'danger.final' : isFinal)
  const shared = {
    title: t(label),
    busy,
    failure,
    about,
    summary,
    danger,
    tick,
    closed,
    harm,
    final,
    note: noteOf,
    onClose,
  }
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
