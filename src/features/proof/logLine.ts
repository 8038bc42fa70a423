import type { TFunction } from 'i18next'
import type { Format } from '../../text/format.ts'
import type { LogCheck } from '../../proof/log.ts'
import { markOf, type ProofLine } from './line.ts'

/** The line about the public log. */
export function logLine(check: LogCheck, { t, format }: { t: TFunction; format: Format }): ProofLine {
  const mark = markOf(check)
  return {
    name: 'log',
    ...(mark === 'unchecked' && { title: t('proof.logUnchecked') }),
    mark,
    evidence: logText(check, t, format),
    more: [t('proof.logMore'), ...(check.ok && check.held ? check.witnesses : [])],
  }
}

function logText(check: LogCheck, t: TFunction, format: Format): string {
  if (!check.ok) return t(check.why === 'signature' ? 'proof.logSignature' : 'proof.logWrong')
  if (!check.held) return t(check.why === 'none' ? 'proof.logNone' : 'proof.logUnsigned')
  const logged = t('proof.logOk', {
    index: format.decimal(String(check.index)),
    time: format.time(check.at),
  })
  const count = check.witnesses.length
  return count === 0 ? logged : t('proof.logSeen', { logged, count })
}
