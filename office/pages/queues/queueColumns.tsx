import { Badge } from '../../../src/ui/Badge.tsx'
import { ageText, lateMs } from '../../data/age.ts'
import type { Texts } from '../../i18n.ts'
import type { QueueName } from '../../../contract/backOffice/queues.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { ActName } from '../../ui/ActName.tsx'
import { Age } from '../../ui/Age.tsx'
import { When } from '../../ui/When.tsx'
import type { QueueItem } from './QueueScreen.tsx'

type Parts = { t: Texts; now: number; me: string; queue: QueueName }

/** Those whose items may wait for a second person. */
const withProposer: ReadonlySet<QueueName> = new Set(['withdrawals', 'password-requests', 'proposals'])
const withAmount: ReadonlySet<QueueName> = new Set(['deposits', 'withdrawals', 'payments', 'proposals'])

/** Age, whose, how much and who works on it: what a clerk chooses by. Personal data is only in the details. */
export function queueColumns({ t, now, me, queue }: Parts): Column<QueueItem>[] {
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
    cell: (item) => <ProposedBy t={t} me={me} {...item} />,
  }
  return [
    {
      key: 'age',
      head: t('column.age'),
      cell: ({ createdAt }) => <Age text={ageText(t, now - createdAt)} isLate={now - createdAt > lateMs} />,
    },
    ...(queue === 'proposals' ? [act] : []),
    { key: 'account', head: t('column.account'), whole: true, cell: ({ account }) => account ?? '' },
    ...(withAmount.has(queue) ? [amount] : []),
    ...(withProposer.has(queue) ? [proposedBy] : []),
    { key: 'no', head: t('column.no'), minor: true, cell: ({ no }) => no ?? '' },
    {
      key: 'claim',
      head: t('column.claim'),
      cell: ({ claim }) =>
        claim === null ? '' : <Badge>{claim.by === me ? t('claim.me') : claim.by}</Badge>,
    },
  ]
}

function ProposedBy({
  t,
  me,
  proposedBy,
  proposedAt,
}: Pick<Parts, 't' | 'me'> & Pick<QueueItem, 'proposedBy' | 'proposedAt'>) {
  if (proposedBy === null) return null
  return (
    <>
      <div>{proposedBy === me ? t('claim.me') : proposedBy}</div>
      <When at={proposedAt} />
    </>
  )
}
