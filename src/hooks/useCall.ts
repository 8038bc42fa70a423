import { createContext, useContext, useMemo, useState } from 'react'
import type { Client } from '../api/client.ts'
import { call } from '../api/venue.ts'
import { session } from '../state/session.ts'

const CallContext = createContext<Client>(call)

/** Replaces the client of the venue that served this page. */
export const CallProvider = CallContext.Provider

/** The client of the venue. What it changes is refused if another member has logged in since the component was shown. */
export function useCall(): Client {
  const client = useContext(CallContext)
  const [openedFor] = useState(() => session.userInfo?.id)
  return useMemo<Client>(
    () =>
      openedFor === undefined
        ? client
        : (route, input, options) => client(route, input, { openedFor, ...options }),
    [client, openedFor],
  )
}
