import { paths } from '../paths.ts'
import { pathWith, type HashAddress } from './hashLocation.ts'
import { routeOf } from '../routes.ts'

/**
 * Where to redirect a visitor who may not see the page of an address: guests to log in (and back afterwards), members
 * away from login.
 */
export function redirectOf({ path, search }: HashAddress, isMember: boolean): string | undefined {
  const { membersOnly, guestsOnly } = routeOf(path)
  if (membersOnly && !isMember) {
    return pathWith(paths.login, { next: search === '' ? path : `${path}?${search}` })
  }
  return guestsOnly && isMember ? (returnPathOf(search) ?? paths.home) : undefined
}

/** The page to open after login, if the address names one of ours. */
function returnPathOf(search: string): string | undefined {
  const next = new URLSearchParams(search).get('next')
  if (next === null || !next.startsWith('/')) return undefined
  const route = routeOf(next.split('?')[0] ?? '')
  return route.guestsOnly || route.title === 'notFound' ? undefined : next
}
