import type { ReactNode } from 'react'
import type { Language } from '../../contract/constants.ts'
import type { Result } from '../../src/api/result.ts'
import type { ReasonTopic } from '../canned/canned.ts'
import type { TextKey } from '../i18n.ts'

/** What a dialog asks for before it makes the call. */
export type Needed =
  /** One line of text, which may be left out if `optional`. */
  | { kind: 'text'; field: TextKey; hint?: TextKey; maxLength: number; optional?: true; digits?: true }
  /** One of some values. */
  | { kind: 'choice'; field: TextKey; hint?: TextKey; options: readonly Option[] }
  /** A time by the venue's clock, given on as epoch milliseconds; it may be left out. */
  | { kind: 'hour'; field: TextKey; hint?: TextKey }
  /** A reason that the member reads, in the member's language. */
  | { kind: 'reason'; topic: ReasonTopic; language?: Language | null | undefined }

export type Option = { value: string; label: string }

/** Something that can be done to what is on screen: its key and button open a dialog, which makes the call. */
export type Action = {
  key: string
  label: TextKey
  /** Shown when it is done; if the answer has an open proposal, it says that another person decides. */
  done: TextKey
  /** Makes the call. `text` is what was asked for, or empty. */
  run: (text: string) => Promise<Result<unknown>>
  needs?: Needed
  /** What happens, shown once more in the dialog. */
  summary?: ReactNode
  /** The usual one; its button has the accent. */
  main?: boolean
}

/** Whether an answer says that nothing has happened yet, because a second person decides: not that of the second person. */
export function isProposed(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('proposal' in answer)) return false
  const { proposal } = answer
  return (
    typeof proposal === 'object' && proposal !== null && 'status' in proposal && proposal.status === 'open'
  )
}

/** Those that the role may do and the state allows. */
export const actionsOf = (actions: readonly (Action | false | undefined)[]): Action[] =>
  actions.filter((action): action is Action => Boolean(action))
