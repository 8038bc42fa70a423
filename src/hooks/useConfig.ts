import type { Config } from '../../contract/site.ts'
import { useSession } from '../state/session.ts'

/** What the venue is set to, as last heard; null before it was ever reached. */
export const useConfig = (): Config | null => useSession().appInfo
