import { useTranslation } from 'react-i18next'
import type { MemberSession } from '../../../contract/auth.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { Badge, Icon, TextLink, VisuallyHidden } from '../../ui/index.ts'
import styles from './Sessions.module.css'

/** One device: its name, IP and login time. The current device has a badge and no logout button. */
export function SessionRow({ session, onEnd }: { session: MemberSession; onEnd: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { clock } = useStreams()
  const device = session.device === '' ? t('sessions.unknown') : session.device
  const seen = format.ago(session.lastSeenAt, clock.now(), t('sessions.justNow'))
  return (
    <li className={styles.row}>
      <Icon name="device-mobile" size={22} className={styles.icon} />
      <span className={styles.text}>
        <span className={styles.device}>{device}</span>
        <span className={styles.caption}>
          {t('sessions.lastSeen', { time: seen })} · {session.ip}
        </span>
        <span className={styles.caption}>
          {t('sessions.since', { date: format.dateTimeShort(session.createdAt) })}
        </span>
      </span>
      {session.current ? (
        <Badge icon="check">{t('sessions.current')}</Badge>
      ) : (
        <TextLink size={15} onClick={onEnd}>
          <span aria-hidden="true">{t('sessions.end')}</span>
          <VisuallyHidden>{t('sessions.endOf', { device })}</VisuallyHidden>
        </TextLink>
      )}
    </li>
  )
}
