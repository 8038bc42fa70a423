import type { Texts } from '../../i18n.ts'
import type { Sight } from '../../ui/useSight.ts'

/**
 * Why a request cannot be decided yet: its pictures are not drawn, or it is not known yet what could be wrong. It is
 * accepted only once each picture was in view; one whose picture cannot be read can only be rejected.
 */
export function closedUntilSeen(t: Texts, sight: Sight, isReady = true) {
  const waiting = sight === 'waiting' || !isReady ? t('request.look') : undefined
  const unseen = sight === 'drawn' ? t('request.scroll') : undefined
  return { accept: sight === 'failed' ? t('request.unseen') : (waiting ?? unseen), reject: waiting }
}
