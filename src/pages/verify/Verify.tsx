import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Verification } from '../../../contract/verification.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { focusHeading } from '../../lib/focusHeading.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { useSession } from '../../state/session.ts'
import { Button, Icon, KeyValues, Skeleton } from '../../ui/index.ts'
import { clearVerifyDraft } from './verifyDraft.ts'
import styles from './Verify.module.css'
import { VerifyForm } from './VerifyForm.tsx'
import { useVerification } from '../../features/account/useVerification.ts'
import { Loaded } from '../../shell/Loaded.tsx'

/** Real-name verification: the form, or the status of the review. */
export function Verify() {
  const { t } = useTranslation()
  const { loadable, reload } = useVerification()
  const { userInfo } = useSession()
  const memberId = userInfo?.id
  const verification = valueOf(loadable)
  const isVerified = verification?.status === 'verified'
  useEffect(() => {
    if (isVerified) clearVerifyDraft()
  }, [isVerified])
  const isForm = verification?.status === 'none' || verification?.status === 'rejected'
  const wasForm = useRef(false)
  useEffect(() => {
    if (wasForm.current && !isForm) focusHeading()
    wasForm.current = isForm
  }, [isForm])
  if (memberId === undefined) return null
  if (verification === undefined) {
    return (
      <VerifyPage>
        <Loaded
          of={loadable}
          failed={t('verify.failed')}
          retry={reload}
          skeleton={
            <VerifySkeleton
              isSubmitted={userInfo?.verification === 'verified' || userInfo?.verification === 'under_review'}
            />
          }
        />
      </VerifyPage>
    )
  }
  if (isForm) {
    return (
      <VerifyForm
        key={verification.version}
        memberId={memberId}
        reason={verification.status === 'rejected' ? (verification.reason ?? '') : undefined}
        onFinished={reload}
      />
    )
  }
  return (
    <VerifyPage>
      <VerificationStatus verification={verification} />
    </VerifyPage>
  )
}

function VerifyPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Page ground="market" title={t('title.verify')} backTo={paths.user} receives="events">
      {children}
    </Page>
  )
}

const statusHeights = { status: 52, facts: 88, button: 48 }
const formHeights = { nationality: 72, name: 72, number: 72, photos: 160 }

/** As tall as the content the stored session predicts: the status or the form. */
function VerifySkeleton({ isSubmitted }: { isSubmitted: boolean }) {
  const { t } = useTranslation()
  return (
    <output className={isSubmitted ? styles.standing : styles.form} aria-label={t('common.loading')}>
      {Object.entries(isSubmitted ? statusHeights : formHeights).map(([name, height]) => (
        <Skeleton key={name} height={height} radius={8} />
      ))}
    </output>
  )
}

/** Under review or verified: the status, its dates and a link to the next step. */
function VerificationStatus({ verification }: { verification: Verification }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status, submittedAt, decidedAt } = verification
  const isVerified = status === 'verified'
  const facts = [
    { key: 'submitted', label: t('verify.submittedAt'), at: submittedAt },
    { key: 'verified', label: t('verify.verifiedAt'), at: isVerified ? decidedAt : null },
  ]
  return (
    <div className={styles.standing}>
      <div className={styles.status}>
        <Icon name={isVerified ? 'seal-check-fill' : 'clock'} size={24} />
        <div>
          <h2>{isVerified ? t('verify.verified') : t('verify.underReview')}</h2>
          <p className={styles.sentence}>{isVerified ? t('verify.verifiedText') : t('verify.submitted')}</p>
        </div>
      </div>
      <div className={styles.facts}>
        <KeyValues
          items={facts.flatMap(({ at, ...fact }) =>
            at === null ? [] : [{ ...fact, value: format.dateTimeShort(at) }],
          )}
        />
      </div>
      <Button block variant="secondary" href={hrefTo(isVerified ? paths.withdraw : paths.user)}>
        {isVerified ? t('title.withdraw') : t('title.account')}
      </Button>
    </div>
  )
}
