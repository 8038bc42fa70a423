import { officeRoutes } from '../../../contract/office/routes.ts'
import { useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { useActLogWord } from '../../ui/useActLogWord.ts'
import { When } from '../../ui/When.tsx'

/** The capital record: every movement with its cause. */
export function Ledger({ memberId }: { memberId: string }) {
  const t = useTexts()
  const list = useOfficeList(officeRoutes.members.ledger, { params: { id: memberId } })
  return (
    <ListTable
      label={t('member.ledger')}
      list={list}
      rowId={({ id }) => id}
      columns={columns(t, useActLogWord())}
    />
  )
}

const columns = (
  t: Texts,
  word: ReturnType<typeof useActLogWord>,
): Column<ItemOf<typeof officeRoutes.members.ledger>>[] => [
  { key: 'at', head: t('audit.at'), cell: ({ at }) => <When at={at} /> },
  { key: 'type', head: t('ledger.type'), cell: ({ type }) => t(`ledger.types.${type}`) },
  {
    key: 'amount',
    head: t('column.amount'),
    figure: true,
    cell: ({ amount }) => <Money value={amount} signed />,
  },
  {
    key: 'after',
    head: t('ledger.after'),
    figure: true,
    cell: ({ balanceAfter }) => <Money value={balanceAfter} />,
  },
  {
    key: 'ref',
    head: t('ledger.ref'),
    minor: true,
    cell: ({ ref }) => (ref.kind === 'member' ? '' : `${word('kinds', ref.kind)} ${ref.no ?? ref.id}`),
  },
]
