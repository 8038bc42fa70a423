import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { navigate } from '../../../src/router/hashLocation.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { useDebounced } from '../../data/useDebounced.ts'
import { useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import type { ScreenProps } from '../../screenProps.ts'
import { Entry } from '../../ui/Control.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { Screen, Scroll } from '../../ui/Screen.tsx'
import { When } from '../../ui/When.tsx'
import { requestInAddress } from './requestInRecord.ts'
import { MemberRecord } from './MemberRecord.tsx'

/** All members, or one member's whole record. */
export function Members({ id, query }: ScreenProps) {
  return id === null ? (
    <MemberList />
  ) : (
    <MemberRecord
      key={id}
      id={id}
      tab={query.get('tab')}
      opens={{ orderId: query.get('order'), request: requestInAddress(query.get('request')) }}
      act={query.get('act')}
    />
  )
}

const { members } = officeRoutes

function MemberList() {
  const t = useTexts()
  const [account, setAccount] = useState('')
  const wanted = useDebounced(account.trim(), 300)
  const list = useOfficeList(members.list, { query: wanted === '' ? {} : { account: wanted } })
  return (
    <Screen
      title={t('nav.members')}
      tools={<Entry label={t('column.account')} value={account} maxLength={64} onValue={setAccount} />}
    >
      <Scroll>
        <ListTable
          label={t('nav.members')}
          list={list}
          rowId={({ id }) => id}
          onOpen={({ id }) => navigate(`/members/${id}`)}
          columns={columns(t)}
        />
      </Scroll>
    </Screen>
  )
}

const columns = (t: Texts): Column<ItemOf<typeof members.list>>[] => [
  {
    key: 'account',
    head: t('column.account'),
    cell: ({ account, closedAt }) => (
      <>
        <strong>{account}</strong> {closedAt !== null && <Badge>{t('search.status.closed')}</Badge>}
      </>
    ),
  },
  {
    key: 'nickname',
    head: t('member.nickname'),
    cell: ({ nickname, account }) => (nickname === account ? '' : nickname),
  },
  { key: 'phone', head: t('member.phone'), cell: ({ phoneMasked }) => phoneMasked },
  {
    key: 'verification',
    head: t('member.verification'),
    cell: ({ verification }) => <ReviewStatus status={verification} />,
  },
  {
    key: 'payout',
    head: t('member.payout'),
    cell: ({ hasWithdrawalAccount }) => t(hasWithdrawalAccount ? 'member.bound' : 'member.notBound'),
  },
  { key: 'created', head: t('member.createdAt'), cell: ({ createdAt }) => <When at={createdAt} /> },
]
