import type { ReactNode } from 'react'
import { officeRoutes } from '../../contract/office/routes.ts'
import type { Result } from '../../src/api/result.ts'
import type { ReasonTopic } from '../canned/canned.ts'
import type { Failure } from '../../streams/index.ts'
import { call } from '../api.ts'
import type { TextKey } from '../i18n.ts'
import type { Reads } from '../ui/useReadLanguage.ts'
import type { Undo } from './useUndo.ts'

/** What a dialog asks for before it makes the call. */
export type Needed =
  /** One line of text, which may be left out if `optional`. */
  | { kind: 'text'; field: TextKey; hint?: TextKey; maxLength: number; optional?: true; digits?: true }
  /** One of some values; if `isOpen`, nothing is chosen at first, and a digit chooses. */
  | { kind: 'choice'; field: TextKey; hint?: TextKey; options: readonly Option[]; isOpen?: true }
  /** A time by the venue's clock, given on as epoch milliseconds; it may be left out. */
  | { kind: 'hour'; field: TextKey; hint?: TextKey }
  /** A reason that the member reads, in the member's language. */
  | {
      kind: 'reason'
      topic: ReasonTopic
      /** A ready sentence that does not fit. */
      without?: string | undefined
      member?: Reads | null
    }

export type Option = { value: string; label: string }

/** What could be wrong, and what must be typed to continue: the amount, or a word for a request without one. */
export type Danger = { warnings: readonly string[] } & (
  | {
      amount: string
      /** It is read from the proof of payment, which must show this amount. */
      ofProof?: boolean
    }
  | { word: string }
)

/** Something that can be done to what is on screen: its key and button open a dialog, which makes the call. */
export type Action = {
  key: string
  label: TextKey
  /** Shown when it is done; if the answer has an open proposal, it says that another person decides, or what else is `proposed`. */
  done: TextKey
  proposed?: TextKey
  /**
   * Makes the call. `text` is what was asked for, `note` what is written for the second person; or empty. `insists`: what
   * `insist` says was ticked.
   */
  run: (text: string, note: string, insists: boolean) => Promise<Result<unknown>>
  /** What must be ticked to do it all the same after the venue has refused it; undefined if nothing helps. */
  insist?: (failure: Failure) => string | undefined
  needs?: Needed
  /** What the value does that is typed or chosen, and what could be wrong with it. */
  effect?: (value: string) => { summary?: ReactNode; danger?: Danger | undefined }
  /** It waits for a second person, for whom a note can be written. */
  forSecond?: boolean
  /** What must be ticked first: that it was done. */
  tick?: string | undefined
  /** What happens, shown once more in the dialog. */
  summary?: ReactNode
  /** It takes something away: its button is red, and its dialog begins at Cancel. */
  harm?: true
  /** It cannot be undone, and its dialog says so, or what can be done later instead. */
  isFinal?: true | TextKey
  /** What takes it back, by what the venue answered; a proposal is always taken back. */
  undo?: (answer: unknown) => Undo | null
  /** The usual one; its button has the accent. */
  main?: boolean
  /** Why it cannot be done yet; undefined if it can. */
  closed?: string | undefined
  /** Under which key the text is kept until it is sent; undefined: not at all. */
  draft?: string
  /** What could be wrong. It comes first in the dialog, and the amount or a word must be typed. */
  danger?: Danger | undefined
}

/** Whether an answer says that nothing has happened yet, because a second person decides: not that of the second person. */
export function isProposed(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('proposal' in answer)) return false
  const { proposal } = answer
  return (
    typeof proposal === 'object' && proposal !== null && 'status' in proposal && proposal.status === 'open'
  )
}

/** What to say of a proposal: that nobody can decide it, or `otherwise`. */
export const proposalSaid = (answer: unknown, otherwise: TextKey = 'proposal.made'): TextKey =>
  (answer as { proposal: { nobodyElse?: true } }).proposal.nobodyElse === true
    ? 'proposal.nobodyElse'
    : otherwise

/** Undoes a proposal until it is decided, but not the credit of a deposit. */
export function undoOfProposal(answer: unknown): Undo | null {
  const { proposal } = answer as { proposal: { id: string; act: string } }
  if (proposal.act === 'deposits.approve') return null
  return {
    done: 'proposal.cancelled',
    run: () => call(officeRoutes.proposals.cancel, { params: { id: proposal.id } }),
  }
}

/** Those that the role may do and the state allows. */
export const actionsOf = (actions: readonly (Action | false | undefined)[]): Action[] =>
  actions.filter((action): action is Action => Boolean(action))

/** The body of an approval with a note for the second person. */
export const withNote = (note: string): { note?: string } => (note.trim() === '' ? {} : { note: note.trim() })

/** The action on a request: its reason, if it asks for one, is in the member's language, and its text is kept. */
export const onRequest = (action: Action, draft: string, member: Reads | null): Action => {
  const needs = action.needs?.kind === 'reason' ? { ...action.needs, member } : action.needs
  const isWritten = needs !== undefined || action.forSecond === true
  return { ...action, ...(needs && { needs }), ...(isWritten && { draft: `${draft} ${action.label}` }) }
}
