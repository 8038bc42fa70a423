import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionRoutes } from '../../../contract/session.ts'
import type { User } from '../../../contract/session.ts'
import { failureText } from '../../api/failureText.ts'
import { call } from '../../api/venue.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useConfig } from '../../hooks/useConfig.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { hrefTo, navigate } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../shell/Page.tsx'
import { endSession, useSession } from '../../state/session.ts'
import { Badge, Button, Card, ConfirmDialog, IconButton, ListRow, toast } from '../../ui/index.ts'
import { AssetsCard } from '../money/AssetsCard.tsx'
import { OpeningCode } from './OpeningCode.tsx'
import { PracticeReset } from './PracticeReset.tsx'
import styles from './Account.module.css'

/** The member: who, how much, and what can be done about it. */
export function Account() {
  const { t } = useTranslation()
  const { userInfo } = useSession()
  const config = useConfig()
  if (!userInfo) return null
  return (
    <Page
      root
      ground="money"
      title={t('title.account')}
      actions={<IconButton icon="gear-six" label={t('title.settings')} href={hrefTo(paths.settings)} />}
    >
      <div className={styles.stack}>
        <MemberRow user={userInfo} />
        <AssetsCard cells={['available', 'todayPnl', 'accountPnl']} />
        <Card>
          <ListRow icon="receipt" label={t('me.orderRecord')} href={hrefTo(paths.orders)} />
          {config?.mode === 'practice' && <PracticeReset />}
        </Card>
        <Card>
          <OpeningCode code={userInfo.openingCode} />
        </Card>
        <LogOut />
      </div>
    </Page>
  )
}

function MemberRow({ user }: { user: User }) {
  const { t } = useTranslation()
  const level = useConfig()?.levels.find((entry) => entry.level === user.level)?.key
  return (
    <div className={styles.member}>
      <span className={styles.avatar} aria-hidden="true">
        {Array.from(user.nickname)[0]?.toUpperCase()}
      </span>
      <div className={styles.names}>
        <h2 className={styles.name}>{user.nickname}</h2>
        <div className={styles.badges}>
          {isLevel(level) && <Badge>{t(`me.level.${level}`)}</Badge>}
          {user.verification === 'verified' ? (
            <Badge icon="seal-check-fill">{t('me.verified')}</Badge>
          ) : (
            <Badge>{t('me.notVerified')}</Badge>
          )}
        </div>
      </div>
      <dl className={styles.score}>
        <dt>{t('me.creditScore')}</dt>
        <dd>{user.creditScore}</dd>
      </dl>
    </div>
  )
}

const levelKeys = ['general', 'intermediate', 'advanced', 'gold', 'diamond'] as const
const isLevel = (key: string | undefined): key is (typeof levelKeys)[number] =>
  levelKeys.some((known) => known === key)

function LogOut() {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, setAsking] = useState(false)
  const [logOut, busy] = useAction(async () => {
    const result = await call(sessionRoutes.logout, {})
    // Only the venue can end the session; telling a member "logged out" while it lives on would be a lie.
    if (!result.ok && (result.failure.kind !== 'refused' || result.failure.status >= 500)) {
      toast({ text: failureText(t, format, result.failure), kind: 'problem' })
      return
    }
    navigate(paths.login, { replace: true })
    endSession()
  })
  return (
    <>
      <Button block variant="secondary" className={styles.logOut} onClick={() => setAsking(true)}>
        {t('me.logOut')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('me.logOutTitle')}
        confirmLabel={t('me.logOut')}
        cancelLabel={t('common.cancel')}
        closeLabel={t('common.close')}
        busy={busy}
        onConfirm={logOut}
        onCancel={() => setAsking(false)}
      >
        {t('me.logOutConfirm')}
      </ConfirmDialog>
    </>
  )
}
