import i18next from 'i18next'
import { assertNever } from '../../../contract/units.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import { useMay, useSession } from '../../state/staff.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { ReviewStatus } from '../../ui/ReviewStatus.tsx'
import { useActLogWord } from '../../ui/useActLogWord.ts'
import { When } from '../../ui/When.tsx'
import { openInRecord, requestOf } from './requestInRecord.ts'

type Event = ItemOf<typeof officeRoutes.members.timeline>

/** Every event of a member, newest first: requests, decisions, changes and messages. */
export function Timeline({ memberId }: { memberId: string }) {
  const t = useTexts()
  const may = useMay()
  const list = useOfficeList(officeRoutes.members.timeline, { params: { id: memberId } })
  const textOf = useEventText()
  const open = (event: Event): void => {
    const request = requestOf(event, may)
    if (request !== null) openInRecord(memberId, request)
  }
  return (
    <ListTable
      label={t('member.timeline')}
      list={list}
      rowId={({ id }) => id}
      onOpen={open}
      columns={columns(t, textOf)}
    />
  )
}

const columns = (t: Texts, textOf: (event: Event) => string): Column<Event>[] => [
  { key: 'at', head: t('audit.at'), whole: true, cell: ({ at }) => <When at={at} /> },
  { key: 'what', head: t('event.what'), cell: textOf },
  { key: 'amount', head: t('column.amount'), figure: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    key: 'status',
    head: t('column.status'),
    cell: ({ status }) => status !== null && <ReviewStatus status={status} />,
  },
  { key: 'by', head: t('audit.filter.actor'), whole: true, cell: ({ by }) => by ?? '' },
]

/** An event in words: a message to the member by its title, an action of the staff as the act log names it. */
function useEventText(): (event: Event) => string {
  const t = useTexts()
  const word = useActLogWord()
  const format = useOfficeFormat()
  const { currency } = useSession()
  const pair = (name: string, value: string): string => t('list.pair', { name, value })
  return ({ kind, what, no, subject, params, title }) => {
    switch (kind) {
      case 'opened':
        return t('event.opened')
      case 'deposit':
      case 'withdrawal':
        return pair(t(`event.${kind}`), no ?? '')
      case 'verification':
        return t('event.verification')
      case 'password-request':
        return pair(t('event.password'), t(`password.${what === 'login' ? 'login' : 'transaction'}`))
      case 'login':
        return what === '' ? t('event.login') : pair(t('event.login'), what ?? '')
      case 'notice':
        return pair(
          t('event.notice'),
          title ?? noticeTitle(what ?? '', params, (sum) => `${format.money(sum)} ${currency}`),
        )
      case 'act':
        return [
          pair(word('acts', what ?? ''), [word('kinds', subject?.kind ?? ''), no].filter(Boolean).join(' ')),
          typeof params['reason'] === 'string' ? params['reason'] : '',
        ]
          .filter(Boolean)
          .join(' · ')
      default:
        return assertNever(kind)
    }
  }
}

/** The texts of members, by keys that the venue stores: a key without a text here is shown as it is. */
const ofMembers = i18next as unknown as {
  exists: (key: string) => boolean
  t: (key: string, values?: object) => string
}

/** The title of a message to the member, as in the members' app. */
function noticeTitle(key: string, params: Event['params'], money: (sum: string) => string): string {
  const path = `message.of.${key}.title`
  if (!ofMembers.exists(path)) return key
  const { amount, kind } = params
  return ofMembers.t(path, {
    ...params,
    ...(typeof amount === 'string' && { amount: money(amount) }),
    ...(typeof kind === 'string' && { kind: ofMembers.t(`message.${kind}`) }),
  })
}
