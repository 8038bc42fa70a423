import { useTranslation } from 'react-i18next'
import { narrowMedia, useMedia } from '../../hooks/useMedia.ts'
import { valueOf } from '../../hooks/useObservable.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Page } from '../../shell/Page.tsx'
import { IconButton, TextLink } from '../../ui/index.ts'
import { PracticeDate } from '../../features/account/PracticeDate.tsx'
import styles from './Fund.module.css'
import { PendingTransfers } from './PendingTransfers.tsx'
import { RateCard } from './RateCard.tsx'
import { ShareCard } from './ShareCard.tsx'
import { useFund } from './useFund.ts'
import { Loaded } from '../../shell/Loaded.tsx'

/** The balance fund: its share, its earnings, and what waits to be confirmed. */
export function Fund() {
  const { t } = useTranslation()
  const { loadable, reload } = useFund()
  const fund = valueOf(loadable)
  return (
    <Page
      root
      receives="events"
      refresh="bar"
      ground="money"
      width="wide"
      title={t('title.fund')}
      actions={<Actions />}
    >
      <PracticeDate />
      <div className={styles.grid}>
        <div className={styles.share}>
          <Loaded
            of={loadable}
            failed={t('fund.failed')}
            retry={reload}
            card
            skeleton={<ShareCard fund={undefined} />}
          >
            {(value) => <ShareCard fund={value} />}
          </Loaded>
        </div>
        <div className={styles.rate}>
          <RateCard fund={fund} failed={fund === undefined && loadable.state === 'failed'} />
        </div>
        <div className={styles.lots}>
          <PendingTransfers fund={fund} />
        </div>
      </div>
    </Page>
  )
}

/** Text links if they fit, otherwise icons. */
function Actions() {
  const { t } = useTranslation()
  const narrow = useMedia(narrowMedia)
  const details = hrefTo(paths.fundDetails)
  const rules = hrefTo(paths.fundRules)
  if (narrow) {
    return (
      <>
        <IconButton icon="list-bullets" label={t('fund.details')} href={details} />
        <IconButton icon="info" label={t('fund.rules')} href={rules} />
      </>
    )
  }
  return (
    <>
      <TextLink href={details}>{t('fund.details')}</TextLink>
      <TextLink href={rules}>{t('fund.rules')}</TextLink>
    </>
  )
}
