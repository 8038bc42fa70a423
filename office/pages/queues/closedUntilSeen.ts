import type { Texts } from '../../i18n.ts'
import type { Sight } from '../../ui/useSight.ts'

/**
 * Why a request cannot be decided yet: its pictures have not been shown, or it is not known yet what could be wrong. One
 * whose picture cannot be read can only be rejected.
 */
export function closedUntilSeen(t: Texts, sight: Sight, isReady = true) {
  const waiting = sight === 'waiting' || !isReady ? t('request.look') : undefined
  return { accept: sight === 'failed' ? t('request.unseen') : waiting, reject: waiting }
}
