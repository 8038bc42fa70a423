import { createContext } from 'react'
import type { MemberOf } from '../queues/useMemberOf.ts'

/** The member whose record is open: requests in it need not ask whose they are. */
export const RecordMember = createContext<MemberOf | null>(null)
