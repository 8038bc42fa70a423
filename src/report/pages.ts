import { isPageAddress } from '../../contract/pagePaths.ts'
import { productIdPattern } from '../../contract/schema.ts'
import { paths } from '../paths.ts'
import { parseHash, pathWith } from '../router/hashLocation.ts'

let current = ''
let previous: string | null = null

/**
 * Starts recording for {@link previousPage}. A report is usually saved on another page than the one with the problem.
 */
export function watchPages(): () => void {
  current = reportedPage(location.hash)
  const onChange = (): void => {
    const page = reportedPage(location.hash)
    if (page !== current) [previous, current] = [current, page]
  }
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

/** The page before the current one; null if there was none. */
export const previousPage = (): string | null => previous

/** The address of a page of the app; of its query only a product's id, because the others are a member's. */
export function reportedPage(hash: string): string {
  const { path, search } = parseHash(hash)
  if (!isPageAddress(path)) return 'unknown'
  const id = new URLSearchParams(search).get('id') ?? ''
  return path === paths.product && productIdPattern.test(id) ? pathWith(path, { id }) : path
}
