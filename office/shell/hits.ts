import type { backOfficeRoutes } from '../../contract/backOffice.ts'
import type { RouteAnswer } from '../../contract/route.ts'
import { pathWith } from '../../src/router/hashLocation.ts'

export type Hit = RouteAnswer<typeof backOfficeRoutes.search.find>['items'][number]

/** Where a search result opens: a member's record, or the record at one of its requests. */
export function hitPath({ kind, id, memberId }: Hit): string {
  if (kind === 'member') return `/members/${memberId}`
  if (kind === 'order') return pathWith(`/members/${memberId}`, { tab: 'orders', order: id })
  return `/${kind}s/${id}`
}

export const hitText = ({ account, no }: Hit): string => (no === null ? account : `${no} · ${account}`)
