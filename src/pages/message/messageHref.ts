import { hrefTo, parseHash } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'

const appPaths: ReadonlySet<string> = new Set(Object.values(paths))

/** The link of a message, if this app has the page. */
export function messageHref(link: string | null): string | undefined {
  if (link === null) return undefined
  const { path, search } = parseHash(link)
  return appPaths.has(path) ? hrefTo(path, Object.fromEntries(new URLSearchParams(search))) : undefined
}
