import { useState } from 'react'
import type { Result } from '../../src/api/result.ts'
import { parseHash, pathWith } from '../../src/router/hashLocation.ts'
import { useRun } from '../data/useRun.ts'
import { useTexts } from '../i18n.ts'
import { useKeptText } from '../state/drafts.ts'
import { isProposed, proposalSaid, undoOfProposal, type Action } from './action.ts'
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

/** Where the user is; without the action in it, which would open its dialog again. */
function addressHere(): string {
  const { path, search } = parseHash(location.hash)
  const query = Object.fromEntries(new URLSearchParams(search))
  return pathWith(path, { ...query, act: undefined })
}

/** The dialog of an action: what happens, what it needs, and one more press. */
export function ActionDialog({ action, about, onDone, onClose }: ActionDialogProps) {
  const t = useTexts()
  const kept = useKeptText(action.draft)
  const tellDone = useTellDone()
  const [note, setNote] = useKeptText(action.draft && `${action.draft} note`)
  const [sent, setSent] = useState('')
  const make = (text: string, insists: boolean): Promise<Result<unknown>> => action.run(text, note, insists)
  const { run, busy, failure } = useRun(make, (answer) => {
    kept[1]('')
    setNote('')
    const proposed = isProposed(answer)
    const undo = proposed ? undoOfProposal(answer) : (action.undo?.(answer) ?? null)
    // The next request opens at once: undoing leads back to this one, on which the keys act then.
    const opens = addressHere()
    const done = proposed ? proposalSaid(answer, action.proposed) : action.done
    tellDone(t(done), about, undo && { ...undo, opens })
    onClose()
    onDone(answer)
  })
  // Another text is another try.
  const isSame = sent === '' || sent === kept[0].trim()
  const insistence = failure !== undefined && isSame ? action.insist?.(failure) : undefined
  const send = (text: string): void => {
    setSent(text)
    run(text, insistence !== undefined)
  }
  const { label, summary, needs, effect, danger, closed, harm, isFinal } = action
  const noteOf = action.forSecond === true ? { text: note, onText: setNote } : undefined
  const final = isFinal && t(isFinal === true ? 'danger.final' : isFinal)
  const shared = {
    title: t(label),
    busy,
    failure,
    about,
    summary,
    danger,
    tick: action.tick ?? insistence,
    closed,
    harm,
    final,
    note: noteOf,
    onClose,
  }
  if (needs === undefined) {
    return (
      <DecideDialog {...shared} onConfirm={() => send('')}>
        {null}
      </DecideDialog>
    )
  }
  if (needs.kind === 'reason') return <ReasonDialog {...shared} needs={needs} kept={kept} onConfirm={send} />
  return <ValueDialog {...shared} needs={needs} effect={effect} kept={kept} onConfirm={send} />
}
