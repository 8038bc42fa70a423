import { paths } from '../../../paths.ts'
import { hrefTo, navigate } from '../../../router/hashLocation.ts'
import { loadedAhead } from '../../../start/ahead.ts'

let latest = ''

/** Opens another product in the place of this one, so that Back leads to where the first was opened. Of two the later counts. */
export async function switchProduct(id: string): Promise<void> {
  const hash = hrefTo(paths.product, { id })
  const from = location.hash
  latest = hash
  await loadedAhead(hash, 'tap')
  if (latest === hash && location.hash === from) navigate(hash.slice(1), { replace: true })
}
