import type { officeRoutes } from '../../contract/office/routes.ts'
import type { RouteAnswer } from '../../contract/route.ts'
import type { OrderStatus } from '../../contract/orders.ts'
import type { RequestState } from '../../contract/office/schema.ts'
import { pathWith } from '../../src/router/hashLocation.ts'
import type { Texts } from '../i18n.ts'

export type Hit = RouteAnswer<typeof officeRoutes.search.find>['items'][number]

/** Where a search result opens: a member's record, the record at an order, or a request that the role may see. */
export function hitPath({ kind, id, memberId }: Hit, may: (call: string) => boolean): string {
  if (kind === 'member') return `/members/${memberId}`
  if (kind === 'order') return pathWith(`/members/${memberId}`, { tab: 'orders', order: id })
  if (!may(`${kind}s.show`)) return pathWith(`/members/${memberId}`, { tab: 'requests' })
  return `/${kind}s/${id}`
}

export const hitText = ({ account, name, no }: Hit): string => [no, account, name].filter(Boolean).join(' · ')

/** The status of a member or a request. */
export function statusText(t: Texts, { kind, status }: Hit): string {
  if (kind === 'order') return t(`order.status.${status as OrderStatus}`)
  if (kind !== 'member') return t(`status.${status as RequestState}`)
  return t(`search.status.${status as 'none'}`)
}
