import { QueryClient } from '@tanstack/react-query'
import type { Failure } from '../../streams/index.ts'

/** Only what another try can change: the venue was not reached, or failed itself. */
const isTemporary = (failure: Failure): boolean => failure.kind !== 'rejected' || failure.status >= 500

/** The answers of the venue, kept while a screen shows them; a decision elsewhere is seen within seconds. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && isTemporary(error as unknown as Failure),
      staleTime: 2000,
      refetchOnWindowFocus: true,
    },
  },
})
