import { createContext, useContext } from 'react'
import type { Client } from '../api/client.ts'
import { call } from '../api/venue.ts'

const CallContext = createContext<Client>(call)

/** Replaces the client of the venue that served this page. */
export const CallProvider = CallContext.Provider

/** The client of the venue. */
export const useCall = (): Client => useContext(CallContext)
