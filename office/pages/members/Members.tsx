import { Fragment, useState } from 'react'
import { memberMarks, type MemberMark } from '../../../contract/office/views.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { navigate, pathWith } from '../../../src/router/hashLocation.ts'
import { Badge, type BadgeKind } from '../../../src/ui/Badge.tsx'
import { useDebounced } from '../../data/useDebounced.ts'
import { useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import type { ScreenProps } from '../../screenProps.ts'
import { Choice, Entry } from '../../ui/Control.tsx'
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
    <MemberList query={query} />
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

/** What is asked for stands in the address, so that it is there again after a record was open. */
function MemberList({ query }: Pick<ScreenProps, 'query'>) {
  const t = useTexts()
  const [account, setAccount] = useState(query.get('account') ?? '')
  const mark = memberMarks.find((one) => one === query.get('mark'))
  const wanted = useDebounced(account.trim(), 300)
  const asked = { account: wanted || undefined, mark }
  const list = useOfficeList(members.list, { query: asked })
  const change = (next: Partial<Record<'account' | 'mark', string>>): void => {
    const { account: text, mark: chosen } = { account, mark, ...next }
    const address = pathWith('/members', { account: text?.trim() || undefined, mark: chosen || undefined })
    navigate(address, { replace: true })
  }
  return (
    <Screen
      title={t('nav.members')}
      tools={
        <>
          <Choice
            label={t('member.state')}
            value={mark ?? ''}
            options={[
              { value: '', label: t('queue.show.all') },
              ...memberMarks.map((value) => ({ value, label: t(`member.marks.${value}`) })),
            ]}
            onValue={(value) => change({ mark: value })}
          />
          <Entry
            label={t('member.accountBegins')}
            value={account}
            maxLength={64}
            onValue={(text) => {
              setAccount(text)
              change({ account: text })
            }}
          />
        </>
      }
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

const markKinds: Readonly<Record<MemberMark, BadgeKind>> = {
  frozen: 'danger',
  closed: 'plain',
  rests: 'warn',
  excluded: 'warn',
}

const columns = (t: Texts): Column<ItemOf<typeof members.list>>[] => [
  {
    key: 'account',
    head: t('column.account'),
    cell: ({ account, marks }) => (
      <>
        <strong>{account}</strong>
        {marks.map((mark) => (
          <Fragment key={mark}>
            {' '}
            <Badge kind={markKinds[mark]}>{t(`member.marks.${mark}`)}</Badge>
          </Fragment>
        ))}
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
