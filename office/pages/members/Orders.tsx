import { useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { useDeskList } from '../../data/useDesk.ts'
import type { ItemOf } from '../../data/useDesk.ts'
import { useTexts } from '../../i18n.ts'
import type { Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { When } from '../../ui/When.tsx'
import { OrderProof } from './OrderProof.tsx'

/** The member's orders, and beside them the proof of the open one. */
export function Orders({ memberId }: { memberId: string }) {
  const t = useTexts()
  const list = useDeskList(backOfficeRoutes.members.orders, { params: { id: memberId } })
  const [openId, setOpenId] = useState<string | null>(null)
  const open = list.items.find(({ id }) => id === openId)
  return (
    <SplitView
      detail={open ? <OrderProof key={open.id} order={open} onClose={() => setOpenId(null)} /> : null}
      list={
        <ListTable
          label={t('member.orders')}
          list={list}
          rowId={({ id }) => id}
          openId={openId}
          onOpen={({ id }) => setOpenId(id)}
          columns={columns(t)}
        />
      }
    />
  )
}

const columns = (t: Texts): Column<ItemOf<typeof backOfficeRoutes.members.orders>>[] => [
  { key: 'no', head: t('column.no'), cell: ({ no }) => no },
  { key: 'product', head: t('order.product'), cell: ({ productId }) => productId },
  {
    key: 'direction',
    head: t('order.direction'),
    cell: ({ direction }) => t(`order.directions.${direction}`),
  },
  {
    key: 'amount',
    head: t('column.amount'),
    figure: true,
    cell: ({ amount }) => <Money value={amount} />,
  },
  {
    key: 'pnl',
    head: t('order.pnl'),
    figure: true,
    cell: ({ pnl }) => <Money value={pnl} signed />,
  },
  {
    key: 'status',
    head: t('column.status'),
    cell: ({ status }) => <Badge>{t(`order.status.${status}`)}</Badge>,
  },
  {
    key: 'at',
    head: t('order.acceptedAt'),
    minor: true,
    cell: ({ acceptedAt }) => <When at={acceptedAt} />,
  },
]
