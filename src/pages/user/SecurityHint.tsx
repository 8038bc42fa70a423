import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moneyOf } from '../../../contract/money.ts'
import type { User } from '../../../contract/member.ts'
import { useSecondFactors } from '../../features/passkeys/useSecondFactors.ts'
import { useLoadable, valueOf } from '../../hooks/useObservable.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { dismissHint, noteHint, preferences, usePreferences } from '../../state/preferences.ts'
import { Button, Card } from '../../ui/index.ts'
import styles from './SecurityHint.module.css'

/**
 * Suggests a second factor, once there is money to protect: in live mode any, in practice mode a withdrawal account. It
 * is not shown again on this device once the member has dismissed it. The data it needs is fetched on one visit and the
 * hint is shown on the next, so that the page layout does not shift.
 */
export function SecurityHint({ user }: { user: User }) {
  const mode = useVenueConfig()?.mode
  const assets = valueOf(useLoadable(useStreams().assets$))
  const { hintDismissedBy } = usePreferences()
  const hasMoney = assets !== undefined && moneyOf(assets.total) > 0
  const isDue = hasMoney && (mode === 'live' || user.hasWithdrawalAccount)
  return isDue && !hintDismissedBy.includes(user.id) ? <Hint memberId={user.id} /> : null
}

function Hint({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const factors = valueOf(useSecondFactors().loadable)
  const isDue = factors && factors.totp === null && factors.passkeys.length === 0
  const [wasDue] = useState(() => preferences.hintDueTo.includes(memberId))
  useEffect(() => {
    if (isDue !== undefined) noteHint(memberId, isDue)
  }, [isDue, memberId])
  if (!wasDue || isDue === false) return null
  return (
    <Card padded>
      <h2 className={styles.title}>{t('security.hintTitle')}</h2>
      <p className={styles.text}>{t('security.hint')}</p>
      <div className={styles.actions}>
        <Button size="small" variant="secondary" href={hrefTo(paths.security)}>
          {t('security.setUp')}
        </Button>
        <Button size="small" variant="text" onClick={() => dismissHint(memberId)}>
          {t('security.notNow')}
        </Button>
      </div>
    </Card>
  )
}
