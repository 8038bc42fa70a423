import { useTranslation } from 'react-i18next'
import { useVenueConfig } from '../../hooks/useVenue.ts'
import { useUnread } from '../../hooks/useUnread.ts'
import { paths } from '../../paths.ts'
import { hrefTo } from '../../router/hashLocation.ts'
import { Badge, ListRow } from '../../ui/index.ts'

/** Links to the records of orders, the member's own results, and to deposits, withdrawals and all ledger entries. */
export function RecordLinks() {
  const { t } = useTranslation()
  return (
    <>
      <ListRow icon="receipt" label={t('me.orderRecord')} href={hrefTo(paths.orders, { tab: 'records' })} />
      <ListRow icon="chart-bar" label={t('title.results')} href={hrefTo(paths.results)} />
      <ListRow icon="arrow-down-left" label={t('title.deposits')} href={hrefTo(paths.deposits)} />
      <ListRow icon="arrow-up-right" label={t('title.withdrawals')} href={hrefTo(paths.withdrawals)} />
      <ListRow icon="list-bullets" label={t('title.moneyRecord')} href={hrefTo(paths.moneyRecord)} />
    </>
  )
}

/** Links to messages and customer service. */
export function Links() {
  const { t } = useTranslation()
  const service = useVenueConfig()?.serviceUrl ?? hrefTo(paths.service)
  const unread = useUnread()
  return (
    <>
      <ListRow
        icon="envelope-simple"
        label={t('title.messages')}
        href={hrefTo(paths.messages)}
        end={badgeOf(unread.messages)}
      />
      <ListRow
        icon="chat-circle-text"
        label={t('title.service')}
        href={service}
        end={badgeOf(unread.service)}
      />
      <ListRow icon="newspaper" label={t('title.news')} href={hrefTo(paths.news)} />
      <ListRow icon="seal-check" label={t('title.highlights')} href={hrefTo(paths.highlights)} />
      <ListRow icon="info" label={t('title.about')} href={hrefTo(paths.about)} />
      <ListRow icon="shield-check" label={t('title.privacy')} href={hrefTo(paths.privacy)} />
    </>
  )
}

/** The link to the member's own trading limits. */
export function SelfLimitsLink() {
  const { t } = useTranslation()
  return <ListRow icon="sliders-horizontal" label={t('title.limits')} href={hrefTo(paths.limits)} />
}

const badgeOf = (count: number) => (count > 0 ? <Badge>{count > 99 ? '99+' : count}</Badge> : undefined)
