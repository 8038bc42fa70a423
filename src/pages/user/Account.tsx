import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { memberRoutes, type User } from '../../../contract/member.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { useResource, type ResourceSource } from '../../hooks/useResource.ts'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useStreams } from '../../hooks/useStreams.ts'
import { isReadEvent } from '../../hooks/useUnread.ts'
import { paths } from '../../paths.ts'
import { lazyStreams } from '../../start/lazyStreams.ts'
import { loadAheadOf } from '../../start/ahead.ts'
import { firstLoaded } from '../../start/firstLoaded.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { session, useSession } from '../../state/session.ts'
import { Card, IconButton } from '../../ui/index.ts'
import { AssetsCard } from '../../features/account/AssetsCard.tsx'
import { DepositWithdrawButtons } from '../../features/account/DepositWithdrawButtons.tsx'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import { useLastDefined } from '../../hooks/useLastDefined.ts'
import styles from './Account.module.css'
import { ExplanationSheet, type ExplainedItem } from './ExplanationSheet.tsx'
import { SelfLimitsLink, Links, RecordLinks } from './Links.tsx'
import { LogOut } from './LogOut.tsx'
import { MemberRow } from './MemberRow.tsx'
import { OpeningCode } from './OpeningCode.tsx'
import { PracticeReset } from './PracticeReset.tsx'
import { SecurityHint } from './SecurityHint.tsx'
import { VerificationRow, WithdrawalAccountRow } from './StatusRows.tsx'

loadAheadOf(paths.user, async () => {
  if (lazyStreams.value) await firstLoaded(lazyStreams.value.assets$)
})

/** The member's account: profile, assets and links. Each stat opens an explanation. */
export function Account() {
  const { t } = useTranslation()
  const { userInfo } = useSession()
  const config = useVenueConfig()
  const [explained, setExplained] = useState<ExplainedItem>()
  const shown = useLastDefined(explained)
  useUserRefresh()
  if (!userInfo) return null
  return (
    <Page
      root
      refresh="bar"
      ground="money"
      width="wide"
      title={t('title.account')}
      actions={
        <>
          <IconButton
            icon="headset"
            label={t('title.service')}
            href={config?.serviceUrl ?? hrefTo(paths.service)}
          />
          <IconButton icon="gear-six" label={t('title.settings')} href={hrefTo(paths.settings)} />
        </>
      }
    >
      <PracticeDate />
      <div className={styles.page}>
        <MemberRow user={userInfo} onExplain={setExplained} />
        <div className={styles.columns}>
          <div className={styles.stack}>
            <AssetsCard
              showHideToggle
              cells={['available', 'todayPnl', 'accountPnl']}
              onExplain={setExplained}
              actions={<DepositWithdrawButtons />}
            />
            <SecurityHint user={userInfo} />
            <Card>
              <RecordLinks />
            </Card>
            <Card>
              <SelfLimitsLink />
              {config?.mode === 'practice' && <PracticeReset />}
            </Card>
          </div>
          <div className={styles.stack}>
            <Card>
              <VerificationRow status={userInfo.verification} />
              <WithdrawalAccountRow />
              <OpeningCode code={userInfo.openingCode} />
            </Card>
            <Card>
              <Links />
            </Card>
            <LogOut />
          </div>
        </div>
      </div>
      {shown !== undefined && (
        <ExplanationSheet
          key={shown}
          what={shown}
          open={explained !== undefined}
          onClose={() => setExplained(undefined)}
        />
      )}
    </Page>
  )
}

const userSource: ResourceSource<User> = {
  fetch: (call, signal) => call(memberRoutes.me, {}, { signal }),
}

/** Refreshes the member's profile: customer service can change level, score and verification. */
function useUserRefresh(): void {
  const { event$ } = useStreams()
  const { loadable, reload } = useResource(userSource)
  const user = valueOf(loadable)
  useEffect(() => {
    if (user !== undefined && session.token !== null) session.userInfo = user
  }, [user])
  useEffect(() => {
    const events = event$('verification').subscribe(reload)
    events.add(event$('message').subscribe((message) => isReadEvent(message) || reload()))
    return () => events.unsubscribe()
  }, [event$, reload])
}
