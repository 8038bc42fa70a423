import { hrefTo, parseHash } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'

const appPaths: ReadonlySet<string> = new Set(Object.values(paths))

/** Where a message leads: a page that this app has, or nowhere. */
export function messageHref(link: string | null): string | undefined {
  if (link === null) return undefined
  const { path, search } = parseHash(link)
  return appPaths.has(path) ? hrefTo(path, Object.fromEntries(new URLSearchParams(search))) : undefined
}
