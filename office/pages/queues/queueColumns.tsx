import { Badge } from '../../../src/ui/Badge.tsx'
import type { Texts } from '../../i18n.ts'
import type { QueueName } from '../../../contract/office/queues.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { ActName } from '../../ui/ActName.tsx'
import { Age, AgeText } from '../../ui/Age.tsx'
import { Icon } from '../../../src/ui/Icon.tsx'
import type { Format } from '../../../src/text/format.ts'
import { lastDeclinedText } from './declinedWarnings.ts'
import { paramOf, proposedText } from './proposedText.ts'
import { withAmount, withDangers, withMethod, withProposer } from './wanted.ts'
import styles from './queueColumns.module.css'
import type { officeRoutes } from '../../../contract/office/routes.ts'
import type { RouteAnswer } from '../../../contract/route.ts'

export type QueueItem = RouteAnswer<typeof officeRoutes.queues.show>['items'][number]

type Parts = {
  t: Texts
  me: string
  queue: QueueName
  country: (code: string) => string
  methodName: (method: string) => string
  format: Format
  /** Ids of those that the user has set aside. */
  asides: readonly string[]
  /** Beside an open request, which says its number and method itself: each row keeps to one line. */
  isBeside: boolean
}

/** Age, whose, how much and who works on it: what a clerk chooses by. Names and documents are only in the details. */
export function queueColumns({ t, me, queue, asides, isBeside, ...names }: Parts): Column<QueueItem>[] {
  const hasNumber = withAmount.has(queue) && !isBeside
  const amount: Column<QueueItem> = {
    key: 'amount',
    head: t('column.amount'),
    figure: true,
    cell: ({ amount: value }) => <Money value={value} />,
  }
  const act: Column<QueueItem> = {
    key: 'act',
    whole: true,
    head: t('proposal.act'),
    cell: ({ act: value }) => value !== null && <ActName act={value} />,
  }
  const proposedBy: Column<QueueItem> = {
    key: 'proposedBy',
    head: t('proposal.by'),
    cell: ({ proposedBy: by, proposedAt: at }) =>
      by !== null && (
        <span className={styles.line}>
          {by === me ? t('claim.me') : by} {/* A proposal waits as long as that: its age stands first. */}
          {at !== null && queue !== 'proposals' && (
            <span className={styles.quiet}>
              <AgeText since={at} />
            </span>
          )}
        </span>
      ),
  }
  return [
    {
      key: 'age',
      head: t('column.age'),
      cell: ({ createdAt }) => <Age since={createdAt} />,
    },
    ...(queue === 'proposals' ? [act] : []),
    {
      key: 'account',
      head: t('column.account'),
      whole: true,
      cell: ({ account, params }) => account ?? paramOf(params, 'name'),
    },
    ...(queue === 'proposals' && !isBeside ? [changeColumn(t, names.format)] : []),
    ...(withAmount.has(queue) ? [amount] : []),
    ...(withMethod.has(queue) && !isBeside ? [methodColumn(t, names.methodName)] : []),
    ...(queue === 'verifications' ? [countryColumn(t, names.country)] : []),
    ...(queue === 'service' ? [previewColumn(t)] : []),
    ...(queue === 'deposits' ? [proofColumn(t)] : []),
    ...(withDangers.has(queue) ? [dangersColumn(t, isBeside)] : []),
    ...(queue === 'payments' && !isBeside ? [approvedByColumn(t, me)] : []),
    // Beside an open request, which says it itself, there is no room for it.
    ...(withProposer.has(queue) && !isBeside ? [proposedBy] : []),
    ...(hasNumber ? [numberColumn(t)] : []),
    {
      key: 'claim',
      head: t('column.claim'),
      cell: ({ id, claim }) => {
        if (claim !== null) return <Badge>{claim.by === me ? t('claim.me') : claim.by}</Badge>
        return asides.includes(id) ? <Badge>{t('claim.isAside')}</Badge> : ''
      },
    },
  ]
}

const changeColumn = (t: Texts, format: Format): Column<QueueItem> => ({
  key: 'change',
  head: t('proposal.change'),
  cell: (item) => proposedText(t, format, item),
})

const approvedByColumn = (t: Texts, me: string): Column<QueueItem> => ({
  key: 'approvedBy',
  head: t('withdrawal.approvedBy'),
  cell: ({ approvedBy }) => (approvedBy === me ? t('claim.me') : (approvedBy ?? '')),
})

/** What stands, or stood when it was approved; the request says it in full. */
const dangersColumn = (t: Texts, isBeside: boolean): Column<QueueItem> => ({
  key: 'dangers',
  head: t('queue.dangers'),
  cell: ({ dangers, secondDeclined }) =>
    dangers.length > 0 && (
      <span
        className={styles.marks}
        title={secondDeclined === null ? undefined : lastDeclinedText(t, secondDeclined)}
      >
        {dangers.map((name) => (
          // Broken beside an open request, where the claim needs the room.
          <Badge key={name} kind="danger" icon="warning-circle-fill" isSentence={isBeside}>
            {t(`danger.names.${name}`)}
          </Badge>
        ))}
      </span>
    ),
})

const methodColumn = (t: Texts, methodName: (method: string) => string): Column<QueueItem> => ({
  key: 'method',
  head: t('deposit.method'),
  minor: true,
  cell: ({ method }) => method !== null && methodName(method),
})

const numberColumn = (t: Texts): Column<QueueItem> => ({
  key: 'no',
  head: t('column.no'),
  minor: true,
  cell: ({ no }) => no !== null && <span className={styles.line}>{no}</span>,
})

const countryColumn = (t: Texts, country: (code: string) => string): Column<QueueItem> => ({
  key: 'country',
  head: t('column.country'),
  cell: ({ country: code }) => code !== null && country(code),
})

const proofColumn = (t: Texts): Column<QueueItem> => ({
  key: 'proof',
  whole: true,
  minor: true,
  head: t('queue.proof'),
  cell: ({ hasPicture }) =>
    hasPicture === true ? (
      <Icon name="image" size={16} label={t('queue.picture.with')} />
    ) : (
      t('queue.picture.none')
    ),
})

/** The newest words of a conversation, how many are unread, and whether a picture is among them. */
const previewColumn = (t: Texts): Column<QueueItem> => ({
  key: 'preview',
  head: t('queue.newest'),
  cell: ({ preview, unread, hasPicture }) => (
    <span className={styles.preview}>
      {unread !== null && unread > 1 && <Badge>{t('queue.unread', { count: unread })}</Badge>}
      {hasPicture === true && <Icon name="image" size={16} label={t('thread.picture')} />}
      <span className={styles.words}>{preview}</span>
    </span>
  ),
})
