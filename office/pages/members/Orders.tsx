import { useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { navigate } from '../../../src/router/hashLocation.ts'
import { Badge } from '../../../src/ui/Badge.tsx'
import { useOfficeCall, useOfficeList, type ItemOf } from '../../data/useOfficeCall.ts'
import { useTexts, type Texts } from '../../i18n.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { SplitView } from '../../ui/SplitView.tsx'
import { When } from '../../ui/When.tsx'
import { OrderProof } from './OrderProof.tsx'

const { members, orders } = officeRoutes

type OrdersProps = {
  memberId: string
  /** Open from the start. */
  orderId: string | null
}

/** The member's orders, and beside them the proof of the open one, which may be older than those listed. */
export function Orders({ memberId, orderId }: OrdersProps) {
  const t = useTexts()
  const list = useOfficeList(members.orders, { params: { id: memberId } })
  const [openId, setOpenId] = useState(orderId)
  const listed = list.items.find(({ id }) => id === openId)
  const isOlder = openId !== null && !list.isLoading && listed === undefined
  const older = useOfficeCall(orders.show, { params: { id: openId ?? '' } }, { enabled: isOlder })
  const open = listed ?? (isOlder ? older.data?.order : undefined)
  const close = (): void => {
    setOpenId(null)
    // Otherwise a search for the same order would change nothing.
    if (orderId !== null) navigate(`/members/${memberId}?tab=orders`, { replace: true })
  }
  return (
    <SplitView
      detail={open ? <OrderProof key={open.id} order={open} onClose={close} /> : null}
      list={
        <ListTable
          label={t('member.orders')}
          list={{ ...list, failure: list.failure ?? older.failure }}
          rowId={({ id }) => id}
          openId={openId}
          onOpen={({ id }) => setOpenId(id)}
          columns={columns(t)}
        />
      }
    />
  )
}

const columns = (t: Texts): Column<ItemOf<typeof members.orders>>[] => [
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
