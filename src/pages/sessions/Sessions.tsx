import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authRoutes, type MemberSession } from '../../../contract/auth.ts'
import { failureText } from '../../api/failureText.ts'
import { errorCodeOf } from '../../api/result.ts'
import { useCall } from '../../hooks/useCall.ts'
import { PendingCard } from '../../features/account/PendingCard.tsx'
import { useSessions } from '../../features/account/useSessions.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { Card, ConfirmDialog, TextLink, toast } from '../../ui/index.ts'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import { Logins } from './Logins.tsx'
import { SessionRow } from './SessionRow.tsx'
import styles from './Sessions.module.css'

/** The devices that are logged in, with a button to log out each of the others. */
export function Sessions() {
  const { t } = useTranslation()
  const { loadable, reload } = useSessions()
  const sessions = valueOf(loadable)
  return (
    <Page ground="money" title={t('title.sessions')} backTo={paths.settings}>
      <div className={styles.stack}>
        <p className={styles.lead}>{t('sessions.lead')}</p>
        {sessions ? (
          <>
            <Devices sessions={sessions} onEnded={reload} />
            <Logins />
          </>
        ) : (
          <PendingCard loadable={loadable} failedTitle={t('sessions.failed')} onRetry={reload} />
        )}
      </div>
    </Page>
  )
}

type DevicesProps = { sessions: readonly MemberSession[]; onEnded: () => void }

function Devices({ sessions, onEnded }: DevicesProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const [confirming, setConfirming] = useState<MemberSession>()
  const shown = useLastDefined(confirming)
  const [end, busy] = useAction(async () => {
    if (confirming === undefined) return
    const result = await call(authRoutes.endSession, { params: { id: confirming.id } })
    setConfirming(undefined)
    // A session that has already ended counts as success.
    if (result.ok || errorCodeOf(result) === 'NOT_FOUND') {
      toast({ text: t('sessions.ended'), kind: 'success' })
      onEnded()
      return
    }
    toast({ text: failureText(t, format, result.failure), kind: 'problem' })
  })
  const ordered = [...sessions].sort(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt - a.lastSeenAt,
  )
  return (
    <>
      <Card>
        <ul>
          {ordered.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => setConfirming(session)} />
          ))}
        </ul>
      </Card>
      {sessions.length === 1 && <p className={styles.lead}>{t('sessions.onlyThis')}</p>}
      <p className={styles.lead}>
        <TextLink href={hrefTo(paths.password, { kind: 'login' })}>{t('sessions.changePassword')}</TextLink>
      </p>
      <ConfirmDialog
        open={confirming !== undefined}
        title={t('sessions.endTitle')}
        confirmLabel={t('sessions.end')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={end}
        onCancel={() => setConfirming(undefined)}
      >
        {t('sessions.endText', { device: shown?.device || t('sessions.unknown') })}
      </ConfirmDialog>
    </>
  )
}
