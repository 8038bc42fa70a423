import type { ProofStep } from '../../proof/check.ts'

/** One line of the checklist: the evidence, and what it was compared with. */
export type ProofLine = {
  name: ProofStep
  /** If it is not the name's own title. */
  title?: string
  mark: LineMark
  evidence: string
  more: string[]
}
/** `unchecked`: this device has nothing to compare with, so the line is neither passed nor failed. */
export type LineMark = 'ok' | 'wrong' | 'unchecked'

/** `held` is false if there was nothing to compare with; a check without it always has something. */
export function markOf({ ok, held = true }: { ok: boolean; held?: boolean }): LineMark {
  if (!ok) return 'wrong'
  return held ? 'ok' : 'unchecked'
}
