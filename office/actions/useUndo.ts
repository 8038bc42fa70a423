import { useSyncExternalStore } from 'react'
import type { Result } from '../../src/api/result.ts'
import {
  currentToasts,
  newestAction,
  runToastAction,
  subscribeToasts,
  toast,
} from '../../src/ui/toastStore.ts'
import { useRefreshAll } from '../data/useOfficeCall.ts'
import { useTexts, type TextKey } from '../i18n.ts'
import { navigate } from '../../src/router/hashLocation.ts'
import { useCommands } from '../keys/useCommands.ts'
import { useFailureTexts } from '../ui/FailureLine.tsx'

/** What takes an act back: an act of its own, which the act log has too. */
export type Undo = {
  /** Shown when it is taken back. */
  done: TextKey
  run: () => Promise<Result<unknown>>
  /** The address that is opened again: where it was done. */
  opens?: string
}

const undoKey = 'u'

/** Says what was done, with the number or account that it was done to. What can be undone has a button for ten seconds. */
export function useTellDone(): (done: string, about: string | undefined, undo: Undo | null) => void {
  const t = useTexts()
  const failureText = useFailureTexts()
  const refresh = useRefreshAll()
  const takeBack = async ({ run, done, opens }: Undo, about: string | undefined): Promise<void> => {
    const result = await run()
    if (result.ok) {
      toast({ text: withSubject(t(done), about), kind: 'success' })
      if (opens !== undefined) navigate(opens)
    } else toast({ text: failureText(result.failure), kind: 'problem' })
    await refresh()
  }
  return (done, about, undo) =>
    toast({
      text: withSubject(done, about),
      kind: 'success',
      ...(undo !== null && {
        action: { label: t('action.undo'), keys: undoKey, run: () => void takeBack(undo, about) },
      }),
    })
}

const withSubject = (text: string, about: string | undefined): string =>
  about === undefined ? text : `${text} ${about}`

/** The key that undoes the newest act that can be; it says if there is none. */
export function useUndoKey(): void {
  const t = useTexts()
  const newest = newestAction(useSyncExternalStore(subscribeToasts, currentToasts))
  const run = (): void => {
    if (newest === undefined) toast({ text: t('action.noUndo') })
    else runToastAction(newest.id)
  }
  useCommands([{ label: 'keys.undo', keys: undoKey, group: 'general', run }])
}
