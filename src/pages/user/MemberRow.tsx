import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/member.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { Badge } from '../../ui/index.ts'
import styles from './Account.module.css'
import type { ExplainedItem } from './ExplanationSheet.tsx'
import { levelKeyOf } from './levels.ts'

export type MemberRowProps = { user: User; onExplain: (what: ExplainedItem) => void }

/** The member: nickname, level, verification and credit score. The last three open an explanation. */
export function MemberRow({ user, onExplain }: MemberRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const level = levelKeyOf(useVenueConfig()?.levels, user.level)
  return (
    <div className={styles.member}>
      <span className={styles.avatar} aria-hidden="true">
        {Array.from(user.nickname)[0]?.toUpperCase()}
      </span>
      <div className={styles.names}>
        <h2 className={styles.name}>{user.nickname}</h2>
        <div className={styles.badges}>
          {level !== undefined && (
            <button
              type="button"
              className={styles.badge}
              aria-haspopup="dialog"
              onClick={() => onExplain('level')}
            >
              <Badge>{t(`me.level.${level}`)}</Badge>
            </button>
          )}
          <button
            type="button"
            className={styles.badge}
            aria-haspopup="dialog"
            onClick={() => onExplain('verified')}
          >
            {user.verification === 'verified' ? (
              <Badge icon="seal-check-fill">{t('me.verified')}</Badge>
            ) : (
              <Badge>{t('me.notVerified')}</Badge>
            )}
          </button>
        </div>
      </div>
      <button
        type="button"
        className={styles.score}
        aria-haspopup="dialog"
        onClick={() => onExplain('creditScore')}
      >
        <span className={styles.scoreLabel}>{t('me.creditScore')}</span>
        <span className={styles.scoreFigure}>{format.decimal(String(user.creditScore))}</span>
      </button>
    </div>
  )
}
