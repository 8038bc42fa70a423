import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { focusHeading } from '../../lib/focusHeading.ts'
import { paths } from '../../paths.ts'
import { hrefTo, navigate } from '../../router/hashLocation.ts'
import { useQuery } from '../../router/useQuery.ts'
import { Page } from '../../shell/Page.tsx'
import { useSession } from '../../state/session.ts'
import { Button, EmptyState, TextLink, toast } from '../../ui/index.ts'
import { passwordKindOf, type PasswordKind } from '../../features/account/passwordKind.ts'
import styles from './Password.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { useDecision } from './useDecision.ts'

/** Requests a new login or transaction password from customer service; changes it directly if the venue allows that. */
export function Password() {
  const { t } = useTranslation()
  const [query] = useQuery()
  const kind = passwordKindOf(query)
  const title = t(kind === 'login' ? 'settings.loginPassword' : 'settings.transactionPassword')
  const { userInfo } = useSession()
  const [outcome, setOutcome] = useState<'requested' | 'pending'>()
  if (!userInfo) return null
  if (outcome !== undefined) {
    return (
      <Page ground="market" title={title} backTo={paths.settings}>
        <RequestSubmitted kind={kind} already={outcome === 'pending'} />
      </Page>
    )
  }
  return (
    <PasswordForm
      key={kind}
      kind={kind}
      title={title}
      account={userInfo.account}
      onRequested={(status) => {
        if (status === 'under_review') {
          setOutcome('requested')
          return
        }
        toast({ text: t('password.done'), kind: 'success' })
        navigate(paths.settings, { replace: true })
      }}
      onPending={() => setOutcome('pending')}
    />
  )
}

/** What happens after the request was sent to customer service, and what it has decided. */
export function RequestSubmitted({ kind, already }: { kind: PasswordKind; already: boolean }) {
  const { t } = useTranslation()
  const service = useVenueConfig()?.serviceUrl ?? hrefTo(paths.service)
  const decision = useDecision(kind)
  useEffect(focusHeading, [])
  const toSettings = (
    <Button href={hrefTo(paths.settings)} variant="secondary">
      {t('password.toSettings')}
    </Button>
  )
  return (
    <div className={styles.waiting} role="status">
      {decision === undefined ? (
        <EmptyState
          icon="clock"
          title={t(already ? 'password.pendingTitle' : 'password.sentTitle')}
          action={toSettings}
          note={<TextLink href={service}>{t('password.contact')}</TextLink>}
        >
          {t('password.sentText')}
        </EmptyState>
      ) : (
        <EmptyState
          icon={decision === 'approved' ? 'check-circle' : 'warning-circle'}
          title={t(decision === 'approved' ? 'password.done' : 'message.of.passwordRequestFailed.title')}
          action={toSettings}
          note={<TextLink href={hrefTo(paths.messages)}>{t('title.messages')}</TextLink>}
        />
      )}
    </div>
  )
}
