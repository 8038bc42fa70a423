import { LoadFailure } from './LoadFailure.tsx'
import type { LazyPage } from './lazyPage.ts'
import { usePage } from './usePage.ts'

/** A part of a page with code of its own: nothing until that is loaded, or the failure with a retry. */
export function LazyPart({ name, part }: { name: string; part: LazyPage }) {
  const [loaded, retry] = usePage(part)
  if (loaded.state === 'ready') return <loaded.Page />
  return loaded.state === 'failed' ? <LoadFailure name={name} failure={loaded.failure} retry={retry} /> : null
}
